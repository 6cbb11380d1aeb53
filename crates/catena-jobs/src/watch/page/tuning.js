{
  const by = (id) => document.getElementById(id);
  const token = document.querySelector("meta[name=token]").content;
  const send = (path, content) =>
    fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Catena-Token": token }, body: JSON.stringify(content) });
  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });

  // What the file writes, and the value of each changed number, by its path.
  let numbers = [];
  let now = new Map();
  let others = [];

  const ofField = (field) => numbers.filter((number) => number.field === field);
  // Value of a field with the changes of its numbers.
  const compose = (field) => {
    const own = ofField(field);
    const whole = own[0].before + own[0].text + own[0].after;
    let [value, at] = ["", 0];
    for (const number of own) {
      value += whole.slice(at, number.before.length) + (now.get(number.path) ?? number.text);
      at = number.before.length + number.text.length;
    }
    return value + whole.slice(at);
  };
  const changes = () => {
    const fields = new Set(numbers.filter((number) => now.has(number.path)).map((number) => number.field));
    return [...others, ...[...fields].map((field) => field + "=" + compose(field))];
  };
  const quoted = (text) => (/^[\w.=+-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'");
  const say = (text) => {
    by("refused").hidden = !text;
    by("refused").textContent = text;
  };
  const describe = () => {
    const all = changes();
    by("changes").hidden = all.length === 0;
    by("set").textContent = all.map((text) => "--set " + quoted(text)).join("\n");
    for (const box of by("sliders").children) box.classList.toggle("is-changed", now.has(box.dataset.path));
  };

  // One request at a time; the newest wish follows.
  let isSending = false;
  let isAsked = false;
  const set = async () => {
    isAsked = true;
    describe();
    if (isSending) return;
    isSending = true;
    while (isAsked) {
      isAsked = false;
      const answer = await send("set", changes()).catch(() => null);
      say(!answer ? "catena watch cannot be reached" : answer.ok ? "" : await answer.text());
    }
    isSending = false;
  };

  const ends = ({ value, whole }) => {
    if (value === 0) return whole ? [0, 10] : [-1, 1];
    const far = 3 * Math.abs(value);
    if (value > 0) return [whole ? Math.min(1, value) : value / 20, value + far];
    return [value - far, whole ? Math.max(-1, value) : value / 20];
  };
  const slider = (number) => {
    const box = make("label", "");
    const [range, entry] = [make("input", ""), make("input", "")];
    box.className = "number";
    box.dataset.path = number.path;
    [range.type, entry.type] = ["range", "number"];
    [range.min, range.max] = ends(number);
    [range.step, entry.step] = [number.whole ? 1 : "any", "any"];
    range.value = entry.value = now.get(number.path) ?? number.value;
    range.ariaLabel = entry.ariaLabel = number.path;
    const move = (value) => {
      if (!Number.isFinite(value)) return;
      const text = String(Number(value.toPrecision(5)));
      now.set(number.path, number.whole || /[.e]/.test(text) ? text : text + ".0");
      set();
    };
    range.addEventListener("input", () => {
      entry.value = Number(Number(range.value).toPrecision(5));
      move(Number(range.value));
    });
    entry.addEventListener("change", () => {
      range.value = entry.value;
      if (entry.value !== "") move(Number(entry.value));
    });
    box.append(make("span", number.path.replace(/^base\./, "")), range, entry);
    return box;
  };
  const find = () => {
    const wanted = by("filter").value.toLowerCase();
    for (const box of by("sliders").children) box.hidden = !box.dataset.path.toLowerCase().includes(wanted);
  };

  // Changes of another page, or of this one before it was loaded anew.
  const recall = (all) => {
    [now, others] = [new Map(), []];
    for (const change of all) {
      const field = change.split("=")[0];
      const own = ofField(field);
      const whole = own.length ? own[0].before + own[0].text + own[0].after : null;
      let rest = change.slice(field.length + 1);
      let at = 0;
      const found = own.every((number) => {
        const between = whole.slice(at, number.before.length);
        const digits = rest.startsWith(between) && /^[-+\w.]+/.exec(rest.slice(between.length));
        if (!digits) return false;
        if (digits[0] !== number.text) now.set(number.path, digits[0]);
        rest = rest.slice(between.length + digits[0].length);
        at = number.before.length + number.text.length;
        return true;
      });
      if (!own.length || !found) others.push(change);
    }
  };
  const show = (told) => {
    const isSame = JSON.stringify(told.numbers) === JSON.stringify(numbers);
    numbers = told.numbers;
    recall(told.set);
    if (!isSame || !isSending) {
      by("sliders").replaceChildren(...numbers.map(slider));
      find();
    }
    by("tuning").hidden = numbers.length === 0;
    describe();
  };
  const load = async () => {
    const answer = await fetch("numbers").catch(() => null);
    if (answer?.ok) show(await answer.json());
  };

  if (token) {
    by("filter").addEventListener("input", find);
    by("undo").addEventListener("click", async () => {
      [now, others] = [new Map(), []];
      await set();
      load();
    });
    by("write").addEventListener("click", async () => {
      const answer = await send("write", []).catch(() => null);
      say(!answer ? "catena watch cannot be reached" : answer.ok ? "" : await answer.text());
      load();
    });
    // A save may change the numbers, but not while a slider moves.
    let edition = null;
    new EventSource("events").addEventListener("message", (event) => {
      const told = JSON.parse(event.data);
      if (told.edition !== edition && !isSending && document.activeElement?.type !== "range") load();
      edition = told.edition;
    });
    load();
  }
}
