"use strict";
(() => {
  const store = document.getElementById("frames");
  if (!store) return;
  const { numbers, images } = JSON.parse(store.textContent);
  const by = (id) => document.getElementById(id);
  const [image, play, slider, number] = ["frame", "play", "slider", "number"].map(by);
  document.querySelectorAll(".controls, .keys").forEach((part) => (part.hidden = false));
  let at = 0;
  let timer = 0;

  const show = (index) => {
    at = Math.max(0, Math.min(images.length - 1, index));
    image.src = "data:image/png;base64," + images[at];
    image.alt = "frame " + numbers[at] + " of the scene";
    slider.value = at;
    slider.setAttribute("aria-valuetext", "frame " + numbers[at]);
    number.textContent = "frame " + numbers[at];
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "play";
    play.setAttribute("aria-pressed", "false");
  };
  const toggle = () => {
    if (timer) return pause();
    if (at === images.length - 1) show(0);
    play.textContent = "pause";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => (at === images.length - 1 ? pause() : show(at + 1)), 40);
  };
  const step = (by) => () => {
    pause();
    show(at + by);
  };

  play.addEventListener("click", toggle);
  by("back").addEventListener("click", step(-1));
  by("on").addEventListener("click", step(1));
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const tag = event.target.tagName;
    const acts = { ArrowLeft: step(-1), ArrowRight: step(1), Home: step(-images.length), End: step(images.length), " ": toggle };
    const isOwn = (tag === "BUTTON" && event.key === " ") || (tag === "INPUT" && event.key !== " ");
    if (!(event.key in acts) || isOwn || event.target.closest(".scroll, pre")) return;
    event.preventDefault();
    acts[event.key]();
  });
  show(0);
})();
