// What every page has: its charts, copying, and a line about work that goes on.
import { draw_charts } from "./chart.mjs";
import { reach_scrolled } from "./scrolling.mjs";
import { listen_to_copying } from "./copying.mjs";
import { tell } from "./notice.mjs";
import { show_strip } from "./strip.mjs";
import { refresh } from "./fragment.mjs";
import { differs, on_end, on_state } from "./state.mjs";

draw_charts();
reach_scrolled();
addEventListener("resize", reach_scrolled);
listen_to_copying(document);
on_state((now, before) => {
  show_strip(now.jobs);
  const is_other = differs(now, before, (state) => [state.file, state.policy?.error, state.runs.length]);
  if (is_other) refresh("steps", "source");
});
on_end(() => tell(["Studio has stopped.", "Start it again with: shoal studio"]));
