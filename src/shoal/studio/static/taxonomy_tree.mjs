// A taxonomy as the paths of its values: value, parent, ..., *. Every path has the same number of levels.

const ROOT = "*";

export class TaxonomyTree {
  constructor(paths) {
    this.paths = paths;
  }

  static of(root) {
    return new TaxonomyTree([...paths_of(root, [])]);
  }

  get height() {
    return this.paths[0].length - 1;
  }

  get root() {
    return node_of(ROOT, this.paths, this.height);
  }

  // Names between the values and the root.
  get group_names() {
    return [...new Set(this.paths.flatMap((path) => path.slice(1, -1)))];
  }

  rename(level, name, other) {
    if (other) this.paths = this.paths.map((path) => path.map((each, at) => (at === level && each === name ? other : each)));
  }

  // Each node below the root gets a parent of its own name, so that nothing is grouped yet.
  add_level() {
    this.paths = this.paths.map((path) => [...path.slice(0, -1), path.at(-2), ROOT]);
  }

  // Puts nodes of one level under a node of the next one, with all that is above it.
  group(level, names, parent) {
    if (level + 1 >= this.height) this.add_level();
    const above = (this.paths.find((path) => path[level + 1] === parent) ?? this.paths.find((path) => names.includes(path[level]))).slice(level + 2);
    this.paths = this.paths.map((path) => (names.includes(path[level]) ? [...path.slice(0, level + 1), parent, ...above] : path));
  }
}

function* paths_of(node, above) {
  const path = [node.text, ...above];
  if (!node.parts.length) yield path;
  for (const part of node.parts) yield* paths_of(part, path);
}

function node_of(text, paths, level) {
  if (level === 0) return { text, parts: [] };
  const below = Map.groupBy(paths, (path) => path[level - 1]);
  return { text, parts: [...below].map(([name, own]) => node_of(name, own, level - 1)) };
}
