// The policy as the server has it: one change after the other, each made to the revision that was seen.
import { get, post, put } from "./api.mjs";

export class PolicyStore {
  revision = 0;
  #last = Promise.resolve();
  #waiting = 0;

  get is_busy() {
    return this.#waiting > 0;
  }

  read() {
    return this.#next(() => get("/api/policy"));
  }

  put_text(text) {
    return this.#next(() => put("/api/policy", { text, revision: this.revision }));
  }

  edit(edits) {
    return this.#next(() => post("/api/policy/edits", { edits, revision: this.revision }));
  }

  save() {
    return this.#next(() => post("/api/policy/save", { revision: this.revision }));
  }

  put_taxonomy(column, paths) {
    return this.#next(async () => {
      await put("/api/taxonomy", { column, paths });
      return get("/api/policy");
    });
  }

  #next(work) {
    this.#waiting += 1;
    const made = this.#last.then(work).then((policy) => {
      this.revision = policy.revision;
      return policy;
    });
    this.#last = made.catch(() => undefined).finally(() => (this.#waiting -= 1));
    return made;
  }
}
