// Tests pages in Chromium: node tests/web/browser.mjs PROGRAM MODULE
// Pages are opened from disk. No content of a scene or a link may run, and pages load no other resources.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";

const { chromium } = createRequire(import.meta.url)("playwright-core");
const [program, module] = process.argv.slice(2);
const EDITS = Number(process.env.CATENA_WEB_EDITS || 60);
const folder = mkdtempSync(join(tmpdir(), "catena-page-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--enable-precise-memory-info"],
});

const pageOf = (name, scenes, ...more) => {
  const path = join(folder, name);
  execFileSync(program, ["page", ...scenes, "--module", module, "-o", path, ...more], { stdio: "pipe" });
  return pathToFileURL(path).href;
};

/** Opens a page, and records its loads and any forbidden scripts. */
const open = async address => {
  const page = await browser.newPage();
  page.loaded = [];
  page.faults = [];
  page.on("request", request => page.loaded.push(request.url()));
  page.on("pageerror", error => page.faults.push(String(error)));
  page.on("dialog", dialog => { page.faults.push("dialog"); dialog.dismiss(); });
  const began = performance.now();
  await page.goto(address);
  await shown(page);
  page.first = performance.now() - began;
  return page;
};
const state = page => page.evaluate(() => document.documentElement.dataset.state);
const shown = page =>
  page.waitForFunction(() => document.documentElement.dataset.state === "shown", null, { timeout: 60000 });
const hash = page => page.locator("#hash").textContent();
const pixels = page => page.evaluate(() => {
  const canvas = document.getElementById("picture");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let text = "";
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
});
const goTo = async (page, frame) => {
  await page.evaluate(frame => {
    document.documentElement.dataset.state = "asked";
    const slider = document.getElementById("frame");
    slider.value = frame;
    slider.dispatchEvent(new Event("input"));
  }, frame);
  await shown(page);
  assert.equal(await page.evaluate(() => Number(document.documentElement.dataset.frame)), frame);
};
const move = async (page, path, value) => {
  await page.evaluate(([path, value]) => {
    document.documentElement.dataset.state = "asked";
    const box = [...document.querySelectorAll(".number")].find(one => one.dataset.path === path);
    const range = box.querySelector("input[type=range]");
    range.value = value;
    range.dispatchEvent(new Event("input"));
  }, [path, value]);
  await shown(page);
};
const quiet = page => {
  assert.deepEqual(page.faults, []);
  const outside = page.loaded.filter(url => !/^(?:file|blob|data):/.test(url));
  assert.deepEqual(outside, []);
};
const tests = {
  async "the first frame has the state of the command line"() {
    const page = await open(pageOf("compare.html", ["scenes/compare.ron"]));
    const out = join(folder, "compare");
    execFileSync(program, ["render", "scenes/compare.ron", "-q", "--no-steady", "--frame-range", "0", "--out", out]);
    const { frames } = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
    assert.equal(await hash(page), `state ${frames[0].state_sha256}`);
    console.log(`  compare: first frame ${Math.round(page.first)} ms after the page was asked for`);
    assert.equal(await page.locator("#poster").count(), 0);
    quiet(page);
    await page.close();
  },

  async "the first frame is on the page before the module runs, unless a link asks for another"() {
    const address = pageOf("poster.html", ["scenes/compare.ron", "scenes/knot.ron"]);
    const out = join(folder, "poster");
    execFileSync(program, ["render", "scenes/compare.ron", "-q", "--no-steady", "--frame-range", "0", "--out", out]);
    const context = await browser.newContext();
    // Without workers, the page stays as it is before the module runs.
    await context.addInitScript(() => { window.Worker = class { postMessage() {} }; });
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    const poster = page.locator("#poster");
    await poster.waitFor({ state: "visible" });
    await poster.evaluate(image => image.decode());
    console.log(`  compare: frame 0 is visible ${Math.round(performance.now() - began)} ms after the page was asked for`);
    const source = await poster.getAttribute("src");
    const file = `data:image/png;base64,${readFileSync(join(out, "frame_00000.png")).toString("base64")}`;
    const [shownPixels, filePixels] = await page.evaluate(sources => Promise.all(sources.map(async source => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return [...new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer)].join();
    })), [source, file]);
    assert.ok(shownPixels.length > 1000 && shownPixels === filePixels);
    assert.ok(!await page.locator("#picture").isVisible());
    const linked = await context.newPage();
    await linked.goto(`${address}#scene=knot`);
    assert.equal(await linked.locator("#poster").count(), 0);
    await context.close();
  },

  async "a slider moves the rope, and is shown as --set"() {
    const page = await open(pageOf("slider.html", ["scenes/compare.ron"]));
    await goTo(page, 20);
    const before = [await hash(page), await pixels(page)];
    const path = await page.evaluate(() => [...document.querySelectorAll(".number")]
      .map(one => one.dataset.path).find(path => /nodes|gravity\[1\]|length/.test(path)));
    const value = await page.evaluate(path => {
      const box = [...document.querySelectorAll(".number")].find(one => one.dataset.path === path);
      return Number(box.querySelector("input[type=range]").value);
    }, path);
    const began = performance.now();
    await move(page, path, /nodes/.test(path) ? value + 3 : value * 1.5);
    console.log(`  compare: slider ${path} answered in ${Math.round(performance.now() - began)} ms`);
    assert.notEqual(await hash(page), before[0]);
    assert.notEqual(await pixels(page), before[1]);
    const set = await page.locator("#set").textContent();
    assert.match(set, /^--set /);
    // The command line gives the same state with the change that the page shows.
    const out = join(folder, "set");
    const change = set.replace(/^--set /, "").replace(/^'|'$/g, "");
    execFileSync(program, ["render", "scenes/compare.ron", "-q", "--no-steady", "--set", change, "--frame-range", "20", "--out", out]);
    const { frames } = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
    assert.equal(await hash(page), `state ${frames[0].state_sha256}`);
    quiet(page);
    await page.close();
  },

  async "a change is written into the text, and undone"() {
    const page = await open(pageOf("write.html", ["scenes/compare.ron"], "--set", "substeps=64"));
    assert.match(await page.locator("#set").textContent(), /substeps=64/);
    const changed = await hash(page);
    await page.click("#undo");
    await page.waitForFunction(() => document.getElementById("changes").hidden);
    await shown(page);
    assert.equal(typeof changed, "string");
    quiet(page);
    await page.close();
  },

  async "a link restores scene, changes and frame"() {
    const address = pageOf("link.html", ["scenes/compare.ron"]);
    const page = await open(address);
    const path = await page.evaluate(() => document.querySelector(".number").dataset.path);
    await move(page, path, 7);
    await goTo(page, 12);
    await page.click("#share");
    await page.waitForFunction(() => document.getElementById("link-text").value !== "");
    const link = await page.locator("#link-text").inputValue();
    const other = await open(link);
    await other.waitForFunction(() => document.documentElement.dataset.frame === "12");
    await shown(other);
    assert.equal(await hash(other), await hash(page));
    assert.equal(await other.locator("#set").textContent(), await page.locator("#set").textContent());
    quiet(other);
    await Promise.all([page.close(), other.close()]);
  },

  async "a page fits the width of a telephone, with the picture above the text"() {
    const scenes = ["scenes/compare.ron", "scenes/knot.ron"];
    for (const address of [pageOf("narrow.html", scenes.slice(0, 1)), pageOf("narrow_site.html", scenes)]) {
      const page = await open(address);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.click("#show-text");
      await page.waitForSelector(".cm-content");
      await page.click("#share");
      await page.waitForFunction(() => document.getElementById("link-text").value !== "");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      const top = id => page.evaluate(id => document.getElementById(id).getBoundingClientRect().top, id);
      assert.ok(await top("watching") < await top("writing"));
      quiet(page);
      await page.close();
    }
  },

  async "no script of a scene or a link runs"() {
    const bad = "<img src=x onerror=\\\"window.hacked=1\\\"></script><script>window.hacked=1</script>";
    const text = `Scene(title: "${bad}", base: (size: (320, 240), frames: 3), panels: [
      (label: "${bad}", with: (substeps: 16)), (label: "<svg onload=window.hacked=1>", with: (substeps: 32))])`;
    const scene = join(folder, "bad.ron");
    writeFileSync(scene, text);
    const address = pageOf("bad.html", [scene]);
    const page = await open(address);
    assert.match(await page.locator("#title").textContent(), /<img src=x/);
    await page.click("#show-text");
    await page.waitForSelector(".cm-content");
    await page.click("#share");
    await page.waitForFunction(() => document.getElementById("link-text").value !== "");
    const link = await page.locator("#link-text").inputValue();
    const other = await open(link);
    for (const one of [page, other]) {
      await one.waitForTimeout(800);
      assert.equal(await one.evaluate(() => window.hacked), undefined);
      assert.equal(await one.locator("img, svg[onload]").count(), 0);
      quiet(one);
    }
    // Even markup in the page could not run: the content security policy allows only the page's own scripts.
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 2";
      document.body.append(script);
      return window.hacked;
    });
    assert.equal(ran, undefined);
    await Promise.all([page.close(), other.close()]);
  },

  async "links that hold no scene are refused in words"() {
    const address = pageOf("links.html", ["scenes/compare.ron"]);
    const { deflateRawSync } = await import("node:zlib");
    const packed = bytes => deflateRawSync(bytes).toString("base64url");
    const links = ["s=!!!", "s=", "s=AAAA", `s=${packed("{}")}`, `s=${packed("[1,2]")}`,
      `s=${packed(JSON.stringify({ name: 1, text: "x" }))}`,
      `s=${packed(JSON.stringify({ name: "x", text: "Scene()", set: [{}] }))}`,
      `s=${packed(Buffer.alloc(64 << 20))}`];
    for (const link of links) {
      const page = await open(`${address}#${link}`);
      assert.match(await page.locator("#message").textContent(), /The link cannot be read/, link);
      quiet(page);
      await page.close();
    }
    const wrong = `s=${packed(JSON.stringify({ name: "x", text: "Scene(base: (rope: (nods: 3)))" }))}`;
    const page = await browser.newPage();
    await page.goto(`${address}#${wrong}`);
    await page.waitForFunction(() => document.getElementById("message").textContent.includes("nods"));
    await page.close();
  },

  async "faults and completion are those of the language server"() {
    const page = await open(pageOf("edit.html", ["scenes/compare.ron"]));
    await page.click("#show-text");
    await page.waitForSelector(".cm-content");
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Scene(base: (rope: (nods: 8)))", { delay: 2 });
    await page.waitForFunction(() => document.getElementById("faults").textContent.includes("nods"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Scene(base: (rope: (no", { delay: 2 });
    await page.keyboard.press("Control+Space");
    await page.waitForFunction(() => document.querySelector(".cm-tooltip-autocomplete")?.textContent.includes("nodes"));
    quiet(page);
    await page.close();
  },

  async "random edits neither hang the page nor fill its memory"() {
    const page = await open(pageOf("random.html", ["scenes/compare.ron"]));
    await page.click("#show-text");
    await page.waitForSelector(".cm-content");
    const text = readFileSync("scenes/compare.ron", "utf8");
    let seed = 7;
    const random = below => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % below; };
    const letters = "(){}[]:,0123456789.-\"/ ax";
    const memory = () => page.evaluate(() => performance.memory.usedJSHeapSize);
    const start = await memory();
    for (let count = 0; count < EDITS; count += 1) {
      const at = random(text.length);
      const cut = random(6);
      const put = Array.from({ length: random(4) }, () => letters[random(letters.length)]).join("");
      const wrong = text.slice(0, at) + put + text.slice(at + cut);
      await page.evaluate(text => {
        const tile = document.querySelector(".cm-content").cmTile;
        const view = tile.root?.view ?? tile.view;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      }, wrong);
      await page.waitForTimeout(count % 4 === 0 ? 300 : 20);
    }
    await page.evaluate(text => {
      document.documentElement.dataset.state = "asked";
      const tile = document.querySelector(".cm-content").cmTile;
        const view = tile.root?.view ?? tile.view;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    }, text);
    await shown(page);
    const grown = (await memory()) - start;
    assert.ok(grown < 64 << 20, `the heap grew by ${grown} bytes`);
    quiet(page);
    await page.close();
  },

  async "files of the scene are inside of the page"() {
    const page = await open(pageOf("cape.html", ["scenes/cape.ron"]));
    quiet(page);
    const began = performance.now();
    await goTo(page, 10);
    console.log(`  cape: ${(10000 / (performance.now() - began)).toFixed(1)} frames per second`);
    await page.close();
  },

  async "every scene has the states and pixels of the command line"() {
    const expected = JSON.parse(readFileSync(process.env.CATENA_WEB_EXPECTED, "utf8"));
    const scenes = readdirSync("scenes").filter(name => name.endsWith(".ron") && expected[name.slice(0, -4)]);
    const address = pageOf("all.html", scenes.map(name => join("scenes", name)));
    const page = await open(address);
    let wrong = 0;
    for (const [name, { frame, state, pixels: right, opaque }] of Object.entries(expected)) {
      await page.evaluate(name => {
        document.documentElement.dataset.state = "asked";
        history.replaceState(null, "", `#scene=${name}`);
        dispatchEvent(new HashChangeEvent("hashchange"));
      }, name);
      await shown(page);
      await goTo(page, frame);
      const isState = (await hash(page)) === `state ${state}`;
      // A canvas stores colours of translucent pixels only approximately.
      const seen = opaque && createHash("sha256").update(Buffer.from(await pixels(page), "base64")).digest("hex");
      if (!isState || (opaque && seen !== right)) {
        wrong += 1;
        console.error(`  ${name}: another ${isState ? "picture" : "state"}`);
      }
    }
    assert.equal(wrong, 0);
    quiet(page);
    console.log(`  ${scenes.length} scenes`);
    await page.close();
  },
};

let failures = 0;
const only = process.env.CATENA_WEB_ONLY;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (error) {
    failures += 1;
    console.error(`FAILED: ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
