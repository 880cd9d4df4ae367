// The text of the policy with the numbers of its lines.

const PAUSE = 400; // milliseconds without a key until what was typed is sent

export class PolicyText {
  #area;
  #numbers;
  #timer = 0;

  constructor(area, numbers) {
    [this.#area, this.#numbers] = [area, numbers];
    area.addEventListener("input", () => this.#number());
    area.addEventListener("scroll", () => (numbers.scrollTop = area.scrollTop));
    this.#number();
  }

  on_typed(listener) {
    this.#area.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => listener(this.#area.value), PAUSE);
    });
  }

  write(text) {
    clearTimeout(this.#timer);
    if (this.#area.value === text) return;
    const [at, top] = [this.#area.selectionStart, this.#area.scrollTop];
    this.#area.value = text;
    this.#area.setSelectionRange(at, at);
    this.#area.scrollTop = top;
    this.#number();
  }

  #number() {
    const n = this.#area.value.split("\n").length;
    this.#numbers.textContent = Array.from({ length: n }, (_, at) => at + 1).join("\n");
  }
}
