"use strict";
(() => {
  const dialog = document.getElementById("zoom");
  if (!dialog || !dialog.showModal) return;
  const by = (id) => document.getElementById(id);
  const [name, blend, scale] = ["zoom-name", "blend", "scale"].map(by);
  const stage = dialog.querySelector(".stage");
  const canvas = dialog.querySelector(".canvas");
  const layers = [...canvas.querySelectorAll(".view")];
  const buttons = [...dialog.querySelectorAll("[data-show]")];
  layers.forEach((layer, part) => layer.style.setProperty("--part", part));
  document.querySelectorAll(".live").forEach((part) => (part.hidden = false));
  let [width, height] = [1, 1];
  let focus = [0, 0, 1, 1];
  let factor = 1;
  let shown = 0;

  // Expected lies below and is always opaque; actual is blended over it, and the difference covers both.
  const paint = () => {
    const share = shown === 1 ? 0 : blend.value / 100;
    layers[0].style.visibility = shown === 1 || share === 1 ? "hidden" : "visible";
    layers[1].style.visibility = shown === 1 ? "visible" : "hidden";
    layers[2].style.visibility = share > 0 ? "visible" : "hidden";
    layers[2].style.opacity = share;
    const now = shown === 1 ? 1 : share === 0 ? 0 : share === 1 ? 2 : -1;
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === now)));
  };
  const show = (part) => {
    shown = part;
    if (part !== 1) blend.value = part === 0 ? 0 : 100;
    paint();
  };
  // Sets how many screen pixels a pixel has and brings a point of the picture to the middle.
  const size = (to, [x, y]) => {
    factor = Math.max(1 / 16, Math.min(64, to, 30000 / Math.max(width, height)));
    canvas.style.width = width * factor + "px";
    canvas.style.height = height * factor + "px";
    canvas.classList.toggle("large", factor >= 1);
    scale.textContent = factor >= 1 ? Math.round(factor * 100) / 100 + "×" : Math.round(factor * 100) + "%";
    stage.scrollLeft = canvas.offsetLeft + x * factor - stage.clientWidth / 2;
    stage.scrollTop = canvas.offsetTop + y * factor - stage.clientHeight / 2;
  };
  const middle = () => [
    (stage.scrollLeft + stage.clientWidth / 2 - canvas.offsetLeft) / factor,
    (stage.scrollTop + stage.clientHeight / 2 - canvas.offsetTop) / factor,
  ];
  const room = () => [stage.clientWidth - 30, stage.clientHeight - 30];
  const fitting = (w, h) => Math.min(room()[0] / w, room()[1] / h);
  const whole = (value) => (value >= 1 ? Math.floor(value) : value);
  const fit = () => size(whole(fitting(width, height)), [width / 2, height / 2]);
  const near = () => size(whole(Math.min(16, fitting(focus[2] + 24, focus[3] + 24))), [focus[0] + focus[2] / 2, focus[1] + focus[3] / 2]);
  const closer = (by) => () => size(by > 1 && factor < 1 && factor * by > 1 ? 1 : factor * by, middle());
  const flip = () => show(shown !== 1 && blend.value >= 50 ? 0 : 2);

  const open = (link) => {
    const views = link.closest(".views");
    const sizes = views.dataset.size.split(" ").map(Number);
    [width, height] = sizes;
    focus = views.dataset.focus.split(" ").map(Number);
    name.textContent = link.closest("article").querySelector("h2").textContent;
    ["--w", "--h", "--gap"].forEach((key, index) => canvas.style.setProperty(key, sizes[index]));
    layers.forEach((layer) => (layer.firstElementChild.src = link.href));
    dialog.showModal();
    show(Number(link.dataset.part));
    fit();
    stage.focus();
  };

  document.querySelectorAll("article a.view").forEach((link) =>
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(link);
    })
  );
  buttons.forEach((button) => button.addEventListener("click", () => show(Number(button.dataset.show))));
  blend.addEventListener("input", () => {
    shown = 0;
    paint();
  });
  by("in").addEventListener("click", closer(2));
  by("out").addEventListener("click", closer(0.5));
  by("fit").addEventListener("click", fit);
  by("focus").addEventListener("click", near);
  by("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const acts = { " ": flip, 1: () => show(0), 2: () => show(1), 3: () => show(2), "+": closer(2), "=": closer(2), "-": closer(0.5), f: fit, d: near };
    if (!(event.key in acts) || (event.key === " " && event.target.tagName === "BUTTON")) return;
    event.preventDefault();
    acts[event.key]();
  });
})();
