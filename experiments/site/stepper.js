// Slots of a counterexample one at a time, by buttons and by the arrow keys while the steps have the focus. The picture
// of the path shows where one is. Without scripts all slots stand below each other.
"use strict";
(() => {
  function mark(section, slot) {
    const picture = section.querySelector('.plate[data-picture="path"]');
    if (!picture) return;
    for (const node of picture.querySelectorAll("g.node")) {
      const first = node.querySelector("text");
      node.classList.toggle("here", first !== null && first.textContent.trim() === `slot ${slot}`);
    }
  }

  function enliven(steps) {
    const slots = [...steps.querySelectorAll(".slot")];
    const section = steps.closest(".counterexample") ?? document;
    if (slots.length === 0) return;
    const bar = document.createElement("div");
    bar.className = "stepper";
    const where = document.createElement("output");
    const button = (text, act) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      made.addEventListener("click", act);
      bar.append(made);
      return made;
    };
    let at = 0;
    const to = (slot) => {
      at = Math.min(Math.max(slot, 0), slots.length - 1);
      slots.forEach((one, i) => { one.hidden = i !== at; });
      where.value = `slot ${at} of ${slots.length - 1}`;
      first.disabled = back.disabled = at === 0;
      forward.disabled = at === slots.length - 1;
      mark(section, at);
    };
    const start = Number(steps.dataset.start);
    const first = button("First", () => to(0));
    const back = button("← Back", () => to(at - 1));
    const forward = button("Forward →", () => to(at + 1));
    button("Where it fails", () => to(start));
    bar.append(where);
    steps.prepend(bar);
    steps.tabIndex = 0;
    steps.setAttribute("role", "group");
    steps.setAttribute("aria-label", "Slots of the counterexample: arrow keys go back and forward");
    steps.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      to(at + by);
    });
    to(start);
  }
  for (const steps of document.querySelectorAll(".steps")) enliven(steps);
})();
