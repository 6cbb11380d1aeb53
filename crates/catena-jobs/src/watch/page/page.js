{
  const by = (id) => document.getElementById(id);
  const [image, none, error, message, state, note, title] = ["frame", "none", "error", "message", "state", "note", "title"].map(by);
  // What the server has told last.
  let told = { edition: 0, count: 0, there: [] };
  let controls = null;
  // What the image shows, and what it is to show.
  let shown = "";
  let wanted = "";
  let loading = "";

  const isBusy = () => loading !== "";
  const isThere = (index) => told.there.some(([first, last]) => first <= index && index <= last);
  const name = (index) => told.edition + "/" + index;

  // The old picture stays until the new one is decoded, so nothing flickers.
  const put = (_, index) => {
    wanted = name(index);
    keep();
    if (wanted === shown || wanted === loading || !isThere(index)) return;
    loading = wanted;
    load(wanted, told).then(
      () => (loading = ""),
      // A newer edition has taken its place, and will be told of.
      () => (loading = ""),
    );
  };
  const load = async (mine, { light, size }) => {
    const answer = await fetch("frame/" + mine + ".png");
    if (!answer.ok || mine !== wanted) return;
    const next = new Image();
    next.src = URL.createObjectURL(await answer.blob());
    await next.decode();
    if (mine !== wanted) return URL.revokeObjectURL(next.src);
    const last = image.src;
    // A pixel of a frame is a pixel of the screen.
    [image.width, image.height] = size.map((side) => Math.round(side / devicePixelRatio));
    title.classList.add("is-heard");
    image.classList.toggle("light", light);
    image.src = next.src;
    image.dataset.shown = shown = mine;
    image.hidden = false;
    none.hidden = true;
    if (last) URL.revokeObjectURL(last);
  };

  // Place and playing stay when somebody loads the page anew.
  const keep = () => {
    if (!controls) return;
    const kept = { at: controls.at(), plays: controls.isPlaying() };
    sessionStorage.setItem("catena", JSON.stringify(kept));
  };
  const begin = (numbers) => {
    const kept = JSON.parse(sessionStorage.getItem("catena") ?? "{}");
    controls = player({ numbers, seconds: told.seconds, put, isThere, isBusy });
    controls.show(kept.at ?? 0);
    if (kept.plays) controls.toggle();
    addEventListener("pagehide", keep);
  };

  // Quoted lines keep their columns, so that marks stay under what they mark; other lines wrap.
  const lines = (text) =>
    text.split("\n").map((line) => {
      const part = document.createElement("div");
      part.className = /^ *\d* │/.test(line) ? "quoted" : "wraps";
      part.textContent = line || " ";
      return part;
    });

  const describe = () => {
    const made = told.there.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const frames = told.count === 1 ? "1 frame" : told.count + " frames";
    if (!told.edition) return told.busy ? "rendering" : "no frames yet";
    return made < told.count ? made + " of " + frames + (told.busy ? ", rendering" : "") : frames + (told.busy ? ", rendering the next ones" : "");
  };

  const hear = (event) => {
    const before = told;
    told = JSON.parse(event.data);
    document.title = (told.error ? "✗ " : "") + told.title;
    title.textContent = told.title;
    state.classList.remove("is-lost");
    state.textContent = describe();
    error.hidden = !told.error;
    if (told.error !== before.error) message.replaceChildren(...lines(told.error ?? ""));
    by("older").hidden = image.hidden;
    none.hidden = !image.hidden || Boolean(told.error);
    note.hidden = !told.note;
    note.textContent = told.note ?? "";
    if (!told.edition) return;
    if (!controls || told.edition !== before.edition) {
      const numbers = Array.from({ length: told.count }, (_, index) => index);
      controls ? controls.replace(numbers, told.seconds) : begin(numbers);
    } else if (wanted !== shown) {
      put(image, controls.at());
    }
  };

  // A browser connects again by itself.
  const events = new EventSource("events");
  events.addEventListener("message", hear);
  events.addEventListener("error", () => {
    state.classList.add("is-lost");
    state.textContent = "catena watch has ended, or cannot be reached";
  });
}
