"use strict";
// Controls of the frames of a scene, each `seconds` of it after the one before. `put` shows a frame
// in the image, now or once it is there; `isThere` says whether playing may go on to it, and
// `isBusy` whether another one is on its way into the image.
const player = ({ numbers, seconds, put, isThere = () => true, isBusy = () => false }) => {
  const by = (id) => document.getElementById(id);
  const [image, play, slider, number, screen] = ["frame", "play", "slider", "number", "screen"].map(by);
  document.querySelectorAll(".controls, .keys").forEach((part) => (part.hidden = false));
  let at = 0;
  // The next step of playing, 0 while it rests; where and when playing began; the time of the last step.
  let timer = 0;
  let begun = { index: 0, time: 0 };
  let before = 0;

  const last = () => numbers.length - 1;
  // Milliseconds from a frame to the next: those of the scene, where its frames are those of a film.
  const pace = () => {
    const each = 1000 * seconds;
    return each >= 8 && each <= 500 ? each * (numbers[1] - numbers[0]) : 40;
  };
  const words = () => {
    const digits = Math.min(12, Math.max(0, 1 + Math.ceil(-Math.log10(seconds))));
    return "frame " + numbers[at] + ", " + (seconds * numbers[at]).toFixed(digits) + " s";
  };
  const show = (index) => {
    at = Math.max(0, Math.min(last(), index));
    put(image, at);
    image.alt = "frame " + numbers[at] + " of the scene";
    slider.value = at;
    slider.setAttribute("aria-valuetext", words());
    number.textContent = words();
  };
  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    play.textContent = "play";
    play.setAttribute("aria-pressed", "false");
  };
  const advance = () => {
    const now = performance.now();
    // A page that nobody sees gets no steps, or few: it goes on with the next frame.
    if (now - before > 1000 + pace()) begun = { index: at, time: now - pace() };
    before = now;
    // A timer may be early by less than it can tell.
    const passed = () => Math.floor((now - begun.time) / pace() + 0.01);
    const due = Math.min(last(), begun.index + passed());
    let next = at;
    while (next < due && isThere(next + 1)) next += 1;
    if (next < due) begun = { index: next, time: now };
    if (next > at && !isBusy()) show(next);
    if (at === last()) return pause();
    const wait = begun.time + (passed() + 1) * pace() - performance.now();
    timer = setTimeout(advance, Math.max(4, wait));
  };
  const toggle = () => {
    if (timer) return pause();
    if (at === last()) show(0);
    play.textContent = "pause";
    play.setAttribute("aria-pressed", "true");
    begun = { index: at, time: performance.now() };
    before = begun.time;
    timer = setTimeout(advance, pace());
  };
  const step = (by) => () => {
    pause();
    show(at + by);
  };
  const fill = () => {
    if (document.fullscreenElement) return document.exitFullscreen();
    return by("player").requestFullscreen();
  };

  play.addEventListener("click", toggle);
  by("back").addEventListener("click", step(-1));
  by("on").addEventListener("click", step(1));
  screen.hidden = !document.fullscreenEnabled;
  screen.addEventListener("click", fill);
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const tag = event.target.tagName;
    const acts = { ArrowLeft: step(-1), ArrowRight: step(1), Home: () => step(-last() - 1)(), End: () => step(last() + 1)(), " ": toggle, f: fill };
    const isOwn = (tag === "BUTTON" && event.key === " ") || (tag === "INPUT" && ![" ", "f"].includes(event.key));
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
    replace: (others, apart) => {
      [numbers, seconds] = [others, apart];
      slider.max = last();
      show(at);
      begun = { index: at, time: performance.now() };
    },
  };
};
