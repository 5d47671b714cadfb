// Pictures that are moved and enlarged: by buttons, by the wheel with Ctrl, by dragging, and by keys while they have the
// focus (+, -, 0 and the arrows). The moves of the node under the pointer, or that was pressed, stand out.
"use strict";
(() => {
  function enliven(plate) {
    const svg = plate.querySelector("svg");
    if (!svg || !svg.viewBox.baseVal.width) return;
    const whole = { ...["x", "y", "width", "height"].reduce((box, key) => ({ ...box, [key]: svg.viewBox.baseVal[key] }), {}) };
    let view = { ...whole };
    const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    function zoom(factor, u = 0.5, v = 0.5) {
      const width = Math.min(Math.max(view.width * factor, whole.width / 30), whole.width * 2);
      const height = width * whole.height / whole.width;
      view = { x: view.x + (view.width - width) * u, y: view.y + (view.height - height) * v, width, height };
      show();
    }
    function move(dx, dy) {
      view.x += dx * view.width;
      view.y += dy * view.height;
      show();
    }
    function reset() {
      view = { ...whole };
      show();
    }

    // A picture whose text would be too small to read opens enlarged, at its top; the button shows the whole.
    function readable() {
      const box = svg.getBoundingClientRect(), text = svg.querySelector("text");
      if (!box.width || !text) return;
      const pixels = (parseFloat(getComputedStyle(text).fontSize) * box.width) / view.width;
      if (pixels < 8) zoom(pixels / 11, 0.5, 0);
    }

    const bar = document.createElement("div");
    bar.className = "zoom";
    for (const [name, sign, act] of [["Enlarge", "+", () => zoom(0.7)], ["Reduce", "−", () => zoom(1 / 0.7)], ["Whole picture", "Whole", reset]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", act);
      bar.append(button);
    }
    plate.before(bar);
    plate.classList.add("moving");
    const folded = plate.closest("details:not([open])");
    if (folded) folded.addEventListener("toggle", readable, { once: true });
    else readable();
    const keys = { "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7), 0: reset,
                   ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1) };
    plate.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
    });
    plate.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 0.85 : 1 / 0.85, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }, { passive: false });
    let from = null;
    plate.addEventListener("pointerdown", (event) => {
      if (event.target.closest("a[href]")) return;
      from = { x: event.clientX, y: event.clientY };
      plate.setPointerCapture(event.pointerId);
    });
    plate.addEventListener("pointermove", (event) => {
      if (!from) return;
      const box = svg.getBoundingClientRect();
      move((from.x - event.clientX) / box.width, (from.y - event.clientY) / box.height);
      from = { x: event.clientX, y: event.clientY };
    });
    for (const end of ["pointerup", "pointercancel"]) plate.addEventListener(end, () => { from = null; });
  }

  // Graphviz names an edge by its ends: n0->n3.
  function light(svg, node) {
    const name = node?.querySelector("title")?.textContent;
    svg.classList.toggle("lit", Boolean(name));
    for (const edge of svg.querySelectorAll("g.edge"))
      edge.classList.toggle("of", Boolean(name) && edge.querySelector("title").textContent.split("->").includes(name));
  }

  function lighten(plate) {
    const svg = plate.querySelector("svg");
    let kept = null;
    for (const node of svg?.querySelectorAll("g.node") ?? []) {
      if (!/^n\d+$/.test(node.querySelector("title")?.textContent ?? "")) continue;
      node.addEventListener("pointerenter", () => light(svg, node));
      node.addEventListener("pointerleave", () => light(svg, kept));
      // The plate takes the pointer when it is pressed, so no node is clicked.
      node.addEventListener("pointerdown", () => light(svg, kept = kept === node ? null : node));
    }
  }
  // A link to what is folded up unfolds it. One to a level of a picture unfolds that level alone, and one to the whole
  // picture folds up all levels. Without scripts they are unfolded by hand.
  function open() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!named) return;
    for (let one = named.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    for (const level of named.closest(".pictures")?.querySelectorAll("details.level") ?? []) level.open = level === named;
    named.scrollIntoView({ block: "nearest" });
  }
  addEventListener("hashchange", open);
  // A link to where one is already changes nothing in the address.
  addEventListener("click", (event) => { if (event.target.closest?.('.plate a[href^="#"]')) setTimeout(open); });
  open();
  for (const plate of document.querySelectorAll(".plate[data-picture]")) {
    enliven(plate);
    lighten(plate);
  }
})();
