// The page around a scene. Whatever a scene says is shown with textContent, never as markup.
"use strict";

(() => {
  const $ = id => document.getElementById(id);
  const make = (name, text) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const scenes = JSON.parse($("data").textContent);

  // ---- bytes, base64 and compression

  const fromBase64 = text => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
    return bytes;
  };
  const toBase64 = bytes => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return btoa(text);
  };
  const through = async (bytes, stream, maximum) => {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > maximum) throw new Error("it unpacks to more than a scene may have");
      parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  };
  const MAX_LINK_BYTES = 4 << 20;

  // ---- engine: a worker with the module, which is started anew when it hangs

  const MAX_SILENCE = 20000;

  class Engine {
    // Takes the module as it stands in the page, or compiled.
    constructor(code, onMessage) {
      this.code = code;
      this.onMessage = onMessage;
      this.count = 0;
      this.start();
      setInterval(() => this.watch(), 500);
    }
    // Ends a worker that has worked too long without a message.
    watch() {
      const since = performance.now() - this.heard;
      if ((this.busy > 0 || this.shows) && since > MAX_SILENCE) {
        this.restart();
        this.onMessage({ is: "stopped" });
      }
    }
    start() {
      this.waiting = new Map();
      this.heard = performance.now();
      this.busy = 0;
      this.shows = false;
      this.worker = newWorker();
      this.ready = new Promise((done, failed) => {
        const fail = event => failed(new Error(event.message || "the worker cannot start"));
        this.worker.onerror = fail;
        if (this.worker.failure) fail(this.worker.failure);
        this.worker.onmessage = ({ data }) => {
          this.heard = performance.now();
          if (data.is === "answer") this.busy -= 1;
          if (data.is === "frame" && data.left === 0 || ["ended", "nothing", "broken"].includes(data.is)) this.shows = false;
          if (data.is === "ready") { this.code = data.code; done(); }
          else if (data.is === "answer") {
            const wait = this.waiting.get(data.id);
            this.waiting.delete(data.id);
            if (wait) wait(data.answer);
          } else this.onMessage(data);
        };
      });
      this.ready.catch(error => this.onMessage({ is: "broken", message: error.message }));
      this.worker.postMessage({ code: this.code });
    }
    // Ends whatever runs; waits end with null.
    restart() {
      this.worker.terminate();
      for (const wait of this.waiting.values()) wait(null);
      this.start();
    }
    async ask(request) {
      await this.ready;
      this.count += 1;
      const id = this.count;
      this.work();
      // What was shown is given up.
      if (request.ask === "open") this.shows = false;
      this.busy += 1;
      return new Promise(done => {
        this.waiting.set(id, done);
        this.worker.postMessage({ id, request });
      });
    }
    // Time counts from the moment when there is something to do.
    work() {
      if (this.busy === 0 && !this.shows) this.heard = performance.now();
    }
    async show(frame) {
      await this.ready;
      this.work();
      this.shows = true;
      this.worker.postMessage({ show: frame });
    }
  }

  // ---- what the page shows

  // The scene as it is edited: text, changes by field, files.
  const scene = { name: "scene", text: "", set: new Map(), files: {}, unlimited: false };
  let opened = null;
  // Whether the newest wish was refused, so that the picture is that of an earlier one.
  let isStale = false;
  let readings = [];
  // The frame on the canvas, and the one that is waited for.
  let frame = 0;
  let awaited = null;
  let playing = null;
  let engine = null;
  let adviser = null;
  let editor = null;

  const say = (text, isNote = false) => {
    $("message").hidden = !text;
    $("message").textContent = text || "";
    $("message").className = isNote ? "note" : "";
  };
  const words = fault => {
    const place = fault.place ? `line ${fault.place[0]}, column ${fault.place[1]}: ` : "";
    return place + fault.message + (fault.help ? `\n${fault.help}` : "");
  };
  const digits = number => {
    if (number === null || number === undefined) return "\u2013";
    return number === 0 ? "0" : Math.abs(number) >= 1e5 || Math.abs(number) < 1e-3
      ? number.toExponential(3) : String(Number(number.toPrecision(5)));
  };
  const changes = () => [...scene.set].map(([field, value]) => `${field}=${value}`);

  // ---- opening a scene; the newest wish replaces one that waits

  const HUNG = 4000;
  let opening = null;
  let next = null;

  const open = (wish = {}) => {
    next = { ...(next || {}), ...wish };
    if (!opening) { opening = work().finally(() => { opening = null; }); return opening; }
    if (performance.now() - opening.since > HUNG) engine.restart();
    return opening;
  };
  const work = async () => {
    await null;
    while (next) {
      const wish = next;
      next = null;
      opening.since = performance.now();
      const { name, text, files, unlimited } = scene;
      const request = { ask: "open", name, text, set: changes(), files, unlimited };
      const answer = await engine.ask(request);
      // A wish that was made since then goes on with a new worker.
      if (answer === null) continue;
      if (answer.is === "refused") { refuse(answer.faults); continue; }
      say("");
      took(answer, wish, text);
    }
  };
  const removePoster = () => $("poster")?.remove();
  const refuse = faults => {
    removePoster();
    say(faults.map(words).join("\n"));
    pause();
    isStale = true;
    document.documentElement.dataset.state = "refused";
  };
  const took = (answer, wish, text) => {
    const isSame = opened && opened.text === text;
    isStale = false;
    // Sliders hold the numbers of the text that they were made for.
    const numbers = isSame && !wish.first ? opened.numbers : answer.numbers;
    opened = { ...answer, numbers, text, more };
    readings = [];
    $("title").textContent = answer.title;
    document.title = answer.title;
    const picture = $("picture");
    if (picture.width !== answer.size[0] || picture.height !== answer.size[1]) {
      [picture.width, picture.height] = answer.size;
    }
    $("frame").max = answer.frames - 1;
    $("hash").textContent = "";
    if (!isSame || wish.first) makeSliders();
    showChanges();
    show(Math.min(wish.frame ?? frame, answer.frames - 1));
    advise();
  };

  // ---- frames

  const show = wanted => {
    if (isStale) return;
    awaited = wanted;
    engine.show(wanted);
  };
  const showFrame = data => {
    if (!opened || data.pixels.byteLength !== 4 * opened.size[0] * opened.size[1]) return;
    for (const one of data.readings) readings[one.frame] = one;
    const [width, height] = opened.size;
    const image = new ImageData(new Uint8ClampedArray(data.pixels), width, height);
    $("picture").getContext("2d").putImageData(image, 0, 0);
    removePoster();
    frame = data.frame;
    if (data.left === 0) awaited = null;
    $("frame").value = frame;
    const seconds = (frame * opened.seconds).toFixed(2);
    $("place").textContent = `frame ${frame} of ${opened.frames - 1}, ${seconds} s`;
    $("work").textContent = data.left > 0 ? `simulating, ${data.left} frames to go` : "";
    showReadings();
    document.documentElement.dataset.state = data.left === 0 ? "shown" : "working";
    document.documentElement.dataset.frame = frame;
  };

  const play = () => {
    if (playing || !opened || isStale) return;
    if (frame >= opened.frames - 1) frame = 0;
    playing = { since: performance.now(), from: frame };
    $("play").textContent = "\u275A\u275A";
    $("play").ariaLabel = "Pause";
    requestAnimationFrame(tick);
  };
  const pause = () => {
    playing = null;
    $("play").textContent = "\u25B6";
    $("play").ariaLabel = "Play";
  };
  const tick = now => {
    if (!playing || !opened) return;
    // A slow scene is shown as fast as it is simulated.
    if (awaited === null && !opening) {
      const speed = Number($("speed").value);
      const passed = Math.floor((now - playing.since) / 1000 * speed / opened.seconds);
      let target = playing.from + Math.max(passed, frame === playing.from ? 1 : 0);
      if (target > frame + 4) { playing = { since: now, from: frame }; target = frame + 1; }
      if (target >= opened.frames) { show(opened.frames - 1); pause(); return; }
      if (target !== frame) show(target);
    }
    requestAnimationFrame(tick);
  };
  const step = by => {
    pause();
    if (opened) show(Math.min(Math.max(frame + by, 0), opened.frames - 1));
  };

  // ---- numbers

  const row = (table, cells, heading) => {
    const line = table.insertRow();
    for (const cell of cells) {
      const element = make(heading ? "th" : "td", cell.text ?? cell);
      if (cell.bad) element.className = "bad";
      line.append(element);
    }
  };
  const showReadings = () => {
    const now = readings[frame];
    if (!now) return;
    const table = $("readings").tBodies[0];
    table.replaceChildren();
    row(table, ["", "kinetic", "elastic", "total", "strain"], true);
    now.bodies.slice(0, 16).forEach((body, index) => {
      const total = body.kinetic === null ? null : body.kinetic + body.elastic + body.gravitational;
      const label = opened.bodies[index].label;
      row(table, body.diverged === null
        ? [label, digits(body.kinetic), digits(body.elastic), digits(total), digits(body.strain)]
        : [label, { text: `diverged at frame ${body.diverged}`, bad: true }]);
    });
    $("hash").textContent = `state ${now.state_sha256}`;
    chart();
  };
  // Total energy of each body over the frames that were simulated, above its start.
  const chart = () => {
    const canvas = $("energy");
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    const total = body => body.kinetic + body.elastic + body.gravitational;
    const known = readings.filter(Boolean);
    const lines = opened.bodies.slice(0, 16).map((body, index) => ({
      ink: `rgb(${body.ink.join(",")})`,
      points: known.filter(one => one.bodies[index].diverged === null)
        .map(one => [one.frame, total(one.bodies[index])]).filter(point => Number.isFinite(point[1])),
    }));
    const all = lines.flatMap(line => line.points.map(point => point[1]));
    if (all.length === 0) return;
    const minimum = Math.min(...all.slice(0, 100000));
    const maximum = Math.max(...all.slice(0, 100000));
    const span = maximum - minimum || 1;
    const x = at => 4 + (width - 8) * at / Math.max(opened.frames - 1, 1);
    const y = value => height - 16 - (height - 32) * (value - minimum) / span;
    for (const { ink, points } of lines) {
      context.strokeStyle = ink;
      context.beginPath();
      points.forEach(([at, value], index) => {
        if (index === 0) context.moveTo(x(at), y(value)); else context.lineTo(x(at), y(value));
      });
      context.stroke();
    }
    context.fillStyle = context.strokeStyle = "#888";
    context.font = "11px sans-serif";
    context.fillText(`${digits(maximum)} J`, 4, 11);
    context.fillText(`${digits(minimum)} J`, 4, height - 4);
    context.beginPath();
    context.moveTo(x(frame), 0);
    context.lineTo(x(frame), height);
    context.stroke();
  };

  // ---- sliders

  // Ends of a slider for a number, around what the scene writes.
  const rangeOf = (value, whole) => {
    if (value === 0) return whole ? [0, 10] : [-1, 1];
    const far = 3 * Math.abs(value);
    const minimum = value > 0 ? (whole ? Math.min(1, value) : value / 20) : value - far;
    const maximum = value > 0 ? value + far : (whole ? Math.max(-1, value) : value / 20);
    return [minimum, maximum];
  };
  const shortened = (number, whole, span) => {
    if (whole) return String(Math.round(number));
    const text = String(Number(number.toPrecision(Math.abs(number) > span ? 7 : 5)));
    return /[.e]/.test(text) ? text : `${text}.0`;
  };
  const slider = number => {
    const [minimum, maximum] = rangeOf(number.value, number.whole);
    const box = make("label");
    box.className = "number";
    box.dataset.path = number.path;
    const name = make("span", number.path.replace(/^base\./, ""));
    if (!number.field) name.title = "A change of the command line would reach other panels too, so this slider changes the text.";
    const range = make("input");
    const entry = make("input");
    range.type = "range";
    entry.type = "number";
    [range.min, range.max] = [minimum, maximum];
    range.step = number.whole ? 1 : "any";
    entry.step = "any";
    range.value = entry.value = number.now ?? number.value;
    if (number.now !== undefined) box.classList.add("changed");
    range.ariaLabel = entry.ariaLabel = number.path;
    const move = text => {
      if (text === "" || !Number.isFinite(Number(text))) return;
      if (opened.text !== scene.text) { say("Correct the text first."); return; }
      box.classList.add("changed");
      if (number.field) {
        number.now = text;
        scene.set.set(number.field, compose(number.field));
        open();
      } else replaceNumber(number, text);
    };
    range.oninput = () => {
      entry.value = shortened(Number(range.value), number.whole, maximum - minimum);
      move(entry.value.includes(".") || number.whole ? entry.value : `${entry.value}.0`);
    };
    entry.onchange = () => {
      range.value = entry.value;
      move(number.whole ? entry.value : shortened(Number(entry.value), false, maximum - minimum));
    };
    box.append(name, range, entry);
    return box;
  };
  const written = number => scene.text.slice(number.from, number.to);
  // Numbers of one field, in their order, and its value as the text writes it.
  const ofField = field => {
    const numbers = opened.numbers.filter(one => one.field === field);
    const [first] = numbers;
    return { numbers, full: first ? first.before + written(first) + first.after : "" };
  };
  // Value of a field with all changes of its numbers.
  const compose = field => {
    const { numbers, full } = ofField(field);
    if (numbers.length === 0) return opened.more.get(field).now;
    let value = "";
    let at = 0;
    for (const number of numbers) {
      value += full.slice(at, number.before.length) + (number.now ?? written(number));
      at = number.before.length + written(number).length;
    }
    return value + full.slice(at);
  };
  // Reads the changes of a link back into the numbers, where the value has the form of the text.
  const recall = () => {
    for (const [field, value] of scene.set) {
      const { numbers, full } = ofField(field);
      let [at, place] = [0, 0];
      for (const number of numbers) {
        const between = full.slice(at, number.before.length);
        if (!value.startsWith(between, place)) break;
        place += between.length;
        const found = /^[-+]?[\d._]+(?:[eE][-+]?\d+)?/.exec(value.slice(place));
        if (!found) break;
        if (found[0] !== written(number)) [number.now] = found;
        place += found[0].length;
        at = number.before.length + written(number).length;
      }
    }
  };
  const replaceNumber = (number, text) => {
    const [from, to] = [number.from, number.to];
    scene.text = scene.text.slice(0, from) + text + scene.text.slice(to);
    const by = text.length - (to - from);
    number.to += by;
    for (const other of opened.numbers) {
      if (other.from > from) { other.from += by; other.to += by; }
    }
    opened.text = scene.text;
    if (editor) { quiet = true; editor.set(scene.text); quiet = false; }
    open();
  };
  const makeSliders = () => {
    recall();
    const isMore = field => opened.more.has(field) && !opened.numbers.some(one => one.field === field);
    const more = [...scene.set.keys()].filter(isMore).map(field => opened.more.get(field));
    for (const number of more) number.now = scene.set.get(number.field);
    $("sliders").replaceChildren(...more.map(slider), ...opened.numbers.map(slider));
    find();
  };
  const find = () => {
    const wanted = $("filter").value.toLowerCase();
    for (const box of $("sliders").children) {
      box.hidden = !box.dataset.path.toLowerCase().includes(wanted);
    }
  };
  const showChanges = () => {
    $("changes").hidden = scene.set.size === 0;
    const quoted = text => /^[\w.=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    $("set").textContent = changes().map(text => `--set ${quoted(text)}`).join("\n");
  };
  // Puts the changes into `base`, where each replaces the number or is added.
  const write = () => {
    if (opened.text !== scene.text) { say("Correct the text first."); return; }
    const moved = opened.numbers.filter(number => number.now !== undefined);
    for (const number of moved.sort((one, other) => other.from - one.from)) {
      scene.text = scene.text.slice(0, number.from) + number.now + scene.text.slice(number.to);
      scene.set.delete(number.field);
    }
    say(scene.set.size > 0 ? "Fields that the text does not write stay as changes." : "", true);
    if (editor) { quiet = true; editor.set(scene.text); quiet = false; }
    open({ first: true });
  };
  // Fields that a scene need not write, as numbers for sliders.
  const more = new Map();
  const listFields = async () => {
    const answer = await advice({ ask: "fields" });
    for (const field of answer?.fields ?? []) {
      more.set(field.path, { ...field, field: field.path, before: "", after: "" });
      const option = make("option", field.path);
      option.title = field.summary;
      option.value = field.path;
      $("more").append(option);
    }
    $("more").onchange = () => {
      const number = more.get($("more").value);
      $("more").value = "";
      const isThere = [...$("sliders").children].some(box => [number?.path, `base.${number?.path}`].includes(box.dataset.path));
      if (number && opened && !isThere) $("sliders").prepend(slider(number));
    };
  };

  // ---- advice: faults of the text, and stability, from a worker of their own

  // Advice is left out while its worker does not run.
  const advice = async request => adviser ? adviser.ask(request) : null;
  let adviceTimer = 0;
  const advise = () => {
    clearTimeout(adviceTimer);
    adviceTimer = setTimeout(stability, 400);
  };
  let isAdvising = false;
  const stability = async () => {
    if (isAdvising) { advise(); return; }
    isAdvising = true;
    try {
      const { name, text, files, unlimited } = scene;
      const request = { ask: "open", name, text, set: changes(), files, unlimited };
      const answer = await advice(request);
      if (!answer || answer.is !== "opened") return;
      const found = await advice({ ask: "stability" });
      if (!found || found.is !== "stability") return;
      const table = $("stability").tBodies[0];
      table.replaceChildren();
      row(table, ["", "step", "longest", ""], true);
      for (const body of found.bodies.slice(0, 16)) {
        const isBad = body.longest !== null && body.dt > body.longest;
        row(table, [body.label, digits(body.dt), digits(body.longest), { text: body.words, bad: isBad }]);
      }
      $("cautions").replaceChildren(...found.cautions.map(text => make("li", text)));
      document.documentElement.dataset.advised = String(Number(document.documentElement.dataset.advised || 0) + 1);
    } finally {
      isAdvising = false;
    }
  };

  let quiet = false;
  let editTimer = 0;
  const edited = text => {
    if (quiet) return;
    scene.text = text;
    clearTimeout(editTimer);
    editTimer = setTimeout(() => { open({ first: true }); findFaults(); }, 250);
  };
  const findFaults = async () => {
    const { text, files } = scene;
    const answer = await advice({ ask: "faults", text, files });
    if (!answer || answer.is !== "faults" || text !== scene.text) return;
    editor.show(answer.faults);
    $("faults").replaceChildren(...answer.faults.map(fault =>
      make("li", `line ${fault.range.start.line + 1}: ${fault.message}`)));
  };
  const items = async (text, place) => {
    const answer = await advice({ ask: "complete", text, ...place });
    return answer && answer.items;
  };
  const showText = () => {
    const isShown = $("writing").hidden;
    $("writing").hidden = !isShown;
    $("show-text").ariaPressed = String(isShown);
    if (isShown && !editor) {
      editor = CatenaEditor.make($("editor"), { text: scene.text, changed: edited, items });
      findFaults();
    }
  };

  // ---- links and files

  const encode = async () => {
    const { name, text, files } = scene;
    const own = scenes.find(one => one.name === name);
    const isOwn = own && JSON.stringify(own.files) === JSON.stringify(files);
    const content = { name, text, set: changes(), frame, ...(isOwn ? {} : { files }) };
    const bytes = new TextEncoder().encode(JSON.stringify(content));
    const packed = await through(bytes, new CompressionStream("deflate-raw"), MAX_LINK_BYTES);
    return toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const isText = value => typeof value === "string";
  const decode = async packed => {
    const bytes = fromBase64(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const plain = await through(bytes, new DecompressionStream("deflate-raw"), MAX_LINK_BYTES);
    const content = JSON.parse(new TextDecoder().decode(plain));
    const { name, text, set = [], files, frame = 0 } = content;
    const isRight = isText(name) && isText(text) && Array.isArray(set) && set.every(isText)
      && Number.isSafeInteger(frame) && frame >= 0
      && (files === undefined || Object.values(Object(files)).every(isText));
    if (!isRight) throw new Error("it holds no scene");
    const own = scenes.find(one => one.name === name);
    return { name, text, set, frame, files: files || (own ? own.files : {}) };
  };
  const share = async () => {
    const packed = await encode();
    const address = `${location.href.split("#")[0]}#s=${packed}`;
    history.replaceState(null, "", `#s=${packed}`);
    $("link").hidden = false;
    $("link-text").value = address;
    $("link-text").select();
    const far = location.protocol === "file:" ? " It leads to this file, so whoever gets it needs the file at the same place." : "";
    try {
      await navigator.clipboard.writeText(address);
      say(`The link is copied.${far}`, true);
    } catch {
      say(`Copy the link above.${far}`, true);
    }
  };
  const save = (bytes, name, type) => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const savePng = async () => {
    const answer = await engine.ask({ ask: "png", frame });
    if (answer?.is !== "file") { say(answer ? answer.faults.map(words).join("\n") : "stopped"); return; }
    save(fromBase64(answer.base64), `${scene.name}_${String(frame).padStart(5, "0")}.png`, "image/png");
  };
  // Waits until a frame is on the canvas.
  let reached = null;
  const reach = wanted => new Promise(done => { reached = { wanted, done }; show(wanted); });
  const saveGif = async () => {
    pause();
    const { frames } = opened;
    const isDone = answer => answer && answer.is === "done";
    if (!isDone(await engine.ask({ ask: "begin_gif", frames }))) return;
    for (let at = 0; at < frames; at += 1) {
      await reach(at);
      if (!isDone(await engine.ask({ ask: "add_to_gif", frame: at }))) {
        say("The GIF was not finished, because the scene changed.", true);
        return;
      }
      $("work").textContent = `GIF: frame ${at} of ${frames}`;
    }
    const answer = await engine.ask({ ask: "end_gif" });
    if (answer?.is !== "file") return;
    say(answer.notes.join("\n"), true);
    save(fromBase64(answer.base64), `${scene.name}.gif`, "image/gif");
  };
  // The text with its changes, which the text alone would lose.
  const saveScene = () => {
    const set = changes();
    const head = set.length > 0 ? `// Shown with: ${set.map(one => `--set '${one}'`).join(" ")}\n` : "";
    save(new TextEncoder().encode(head + scene.text), `${scene.name}.ron`, "text/plain");
  };

  // ---- start

  // A link never lifts the limits.
  const take = ({ name, text, set, files, frame: at = 0, unlimited = false }) => {
    pause();
    [scene.name, scene.text, scene.files, scene.unlimited] = [name, text, files, unlimited];
    scene.set = new Map(set.map(change => {
      const at = change.indexOf("=");
      return [change.slice(0, at), change.slice(at + 1)];
    }));
    if (editor) { quiet = true; editor.set(text); quiet = false; findFaults(); }
    frame = 0;
    return open({ first: true, frame: at });
  };
  const fromAddress = async () => {
    const hash = location.hash.slice(1);
    const named = scenes.find(one => hash === `scene=${one.name}`);
    if (named) { $("scenes").value = named.name; return take(named); }
    if (hash.startsWith("s=")) {
      try {
        const shared = await decode(hash.slice(2));
        if (scenes.some(one => one.name === shared.name)) $("scenes").value = shared.name;
        return take(shared);
      } catch (error) {
        await take(scenes[0]);
        say(`The link cannot be read: ${error.message}. The first scene is shown.`);
        return null;
      }
    }
    return take(scenes[0]);
  };
  const hear = data => {
    if (data.is === "frame") {
      showFrame(data);
      if (reached && data.left === 0 && data.frame >= reached.wanted) { reached.done(); reached = null; }
    }
    if (data.is === "ended") {
      pause();
      say(`The budget of the scene ends at frame ${data.frame}; the command line goes on with --unlimited.`);
    }
    if (data.is === "stopped") {
      pause();
      [next, awaited, isStale] = [null, null, true];
      say(`Stopped after ${MAX_SILENCE / 1000} seconds: a frame of this scene takes too long for a page. The command line renders it.`);
      document.documentElement.dataset.state = "stopped";
    }
    if (data.is === "broken") {
      pause();
      isStale = true;
      say(`This scene needs more than the browser gives: ${data.message}`);
    }
  };
  const start = async () => {
    engine = new Engine(fromBase64($("module").textContent), hear);
    $("module").textContent = "";
    if (scenes.length > 1) {
      for (const one of scenes) {
        const option = make("option", one.title === one.name ? one.name : `${one.name}: ${one.title}`);
        option.value = one.name;
        $("scenes").append(option);
      }
      $("scenes").hidden = false;
      $("scenes").onchange = () => {
        removePoster();
        history.replaceState(null, "", `#scene=${$("scenes").value}`);
        take(scenes.find(one => one.name === $("scenes").value));
      };
    }
    await fromAddress();
    // The first frame has the processor for itself.
    setTimeout(() => { adviser = new Engine(engine.code, () => {}); listFields(); advise(); }, 100);
  };

  $("play").onclick = () => { if (playing) pause(); else play(); };
  $("back").onclick = () => step(-1);
  $("forth").onclick = () => step(1);
  $("frame").oninput = () => { pause(); show(Number($("frame").value)); };
  $("speed").onchange = () => { if (playing) playing = { since: performance.now(), from: frame }; };
  $("filter").oninput = find;
  $("write").onclick = write;
  $("undo").onclick = () => { scene.set.clear(); open({ first: true }); };
  $("share").onclick = share;
  $("save-png").onclick = savePng;
  $("save-gif").onclick = saveGif;
  $("save-scene").onclick = saveScene;
  $("show-text").onclick = showText;
  addEventListener("hashchange", fromAddress);
  addEventListener("keydown", event => {
    if (event.target !== document.body) return;
    if (event.key === " ") { event.preventDefault(); $("play").click(); }
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  start().catch(error => say(`The page cannot start: ${error.message}`));
})();
