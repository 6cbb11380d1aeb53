"use strict";
// Controls of the frames of a scene. `put` shows a frame in the image, now or once it is there;
// `isThere` says whether playing may go on to it.
const player = (numbers, put, isThere) => {
  const by = (id) => document.getElementById(id);
  const [image, play, slider, number] = ["frame", "play", "slider", "number"].map(by);
  document.querySelectorAll(".controls, .keys").forEach((part) => (part.hidden = false));
  let at = 0;
  let timer = 0;

  const last = () => numbers.length - 1;
  const show = (index) => {
    at = Math.max(0, Math.min(last(), index));
    put(image, at);
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
  const advance = () => {
    if (at === last()) return pause();
    if (isThere(at + 1)) show(at + 1);
  };
  const toggle = () => {
    if (timer) return pause();
    if (at === last()) show(0);
    play.textContent = "pause";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(advance, 40);
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
    const acts = { ArrowLeft: step(-1), ArrowRight: step(1), Home: () => step(-last() - 1)(), End: () => step(last() + 1)(), " ": toggle };
    const isOwn = (tag === "BUTTON" && event.key === " ") || (tag === "INPUT" && event.key !== " ");
    if (!(event.key in acts) || isOwn || event.target.closest(".scroll, pre")) return;
    event.preventDefault();
    acts[event.key]();
  });
  slider.max = last();
  show(0);
  return {
    at: () => at,
    isPlaying: () => timer !== 0,
    show,
    toggle,
    // Other frames take the place of these; the one that is looked at keeps its number.
    replace: (others) => {
      numbers = others;
      slider.max = last();
      show(at);
    },
  };
};
