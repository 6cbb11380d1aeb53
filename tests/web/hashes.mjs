// Checks that every scene of scenes/ gives the same bytes in WebAssembly as on the command line:
//   node tests/web/hashes.mjs PROGRAM MODULE [SCENE…]
// The states of a frame and of the two before it, and their PNG files, are compared.
// The frame is 120, or the last one of a shorter scene. With CATENA_WEB_WHOLE=1 it is the last one.
// Scenes in HEAVY have their own last frame.
// With CATENA_WEB_EXPECTED=FILE, the expected content of the page is written to FILE.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, readdirSync, mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { load } from "./module.mjs";

const [program, module, ...chosen] = process.argv.slice(2);
const start = load(readFileSync(module));
const run = promisify(execFile);

const MOST = process.env.CATENA_WEB_WHOLE === "1" ? Infinity : 120;

// Scenes with slow frames, and the last frame of their comparison.
const HEAVY = {
  cape: 30, cloth_sphere: 40, flag_carried: 80, flag_flutters: 50, flag_on_line: 80, hammock: 80, helical_buckling: 100,
  mooring_waves: 80, net_with_ball: 80, plectoneme: 80, poured_rope: 60, sea_bed: 80,
};

const expectations = {};
const sha256 = bytes => createHash("sha256").update(bytes).digest("hex");

/** Files that a scene names, as a page carries them. */
const filesOf = scene => {
  const text = readFileSync(scene, "utf8");
  const names = [...text.matchAll(/"([^"\n]+\.(?:csv|tsv|txt|dat|obj|glb|gltf))"/g)].map(found => found[1]);
  const there = names.filter(name => existsSync(join(dirname(scene), name)));
  return Object.fromEntries(there.map(name => [name, readFileSync(join(dirname(scene), name)).toString("base64")]));
};

const compare = async scene => {
  const name = basename(scene, ".ron");
  const folder = mkdtempSync(join(tmpdir(), "catena-web-"));
  try {
    const player = start();
    const text = readFileSync(scene, "utf8");
    const opened = player.ask({ ask: "open", name, text, files: filesOf(scene) });
    if (opened.is !== "opened") throw new Error(JSON.stringify(opened));
    const last = Math.min(HEAVY[name] ?? MOST, opened.frames - 1);
    const first = Math.max(last - 2, 0);
    await run(program, ["render", scene, "-q", "--no-steady", "--threads", "1",
      "--frame-range", `${first}-${last}`, "--out", join(folder, "out")]);
    const { frames } = JSON.parse(readFileSync(join(folder, "out", "manifest.json"), "utf8"));
    const wrong = [];
    for (const expected of frames.filter(one => one.frame >= first && one.frame <= last)) {
      player.go(expected.frame);
      const { readings } = player.ask({ ask: "readings", frame: expected.frame });
      if (readings.state_sha256 !== expected.state_sha256) wrong.push(`state of frame ${expected.frame}`);
      const { base64 } = player.ask({ ask: "png", frame: expected.frame });
      if (sha256(Buffer.from(base64, "base64")) !== expected.sha256) wrong.push(`picture of frame ${expected.frame}`);
    }
    const pixels = player.output(player.wasm.catena_draw(last) >>> 0).slice();
    const { readings } = player.ask({ ask: "readings", frame: last });
    const opaque = !pixels.some((value, at) => at % 4 === 3 && value < 255);
    expectations[name] = { frame: last, state: readings.state_sha256, pixels: sha256(pixels), opaque };
    if (frames.length < last - first + 1) wrong.push("frames of the command line are missing");
    return { name, wrong, compared: last - first + 1, memory: player.wasm.memory.buffer.byteLength };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const folder = "scenes";
const all = chosen.length > 0 ? chosen
  : readdirSync(folder).filter(name => name.endsWith(".ron")).sort().map(name => join(folder, name));
let failures = 0;
let pictures = 0;
for (const scene of all) {
  const began = performance.now();
  try {
    const { name, wrong, compared } = await compare(scene);
    pictures += compared;
    if (wrong.length > 0) {
      failures += 1;
      console.error(`${name}: another ${wrong.join(", ")}`);
    }
  } catch (error) {
    failures += 1;
    console.error(`${scene}: ${error.message}`);
  }
  if (process.env.CATENA_WEB_TIMES) console.log(`${scene} ${Math.round(performance.now() - began)} ms`);
}
if (process.env.CATENA_WEB_EXPECTED) {
  writeFileSync(process.env.CATENA_WEB_EXPECTED, JSON.stringify(expectations));
}
if (all.length === 0 || failures > 0) {
  console.error(`${failures} of ${all.length} scenes differ`);
  process.exit(1);
}
console.log(`${all.length} scenes, ${pictures} pictures and states: the bytes of the command line`);
