// Checks a glb export: gltf-validator must report nothing, and three.js must give the positions of `catena trace` at frames and between them.
//
//   npm install gltf-validator three@0.187
//   PEER_MODULES=$PWD node gltf.mjs EXPORT.glb [TRACE.csv]
//
// Each panel has one body (a cloth or a rope), and possibly a figure, whose skins are compared if the table has rows of them
// (with_skins.py). Without a trace, the file is only validated.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const home = process.env.PEER_MODULES ?? process.cwd();
const require = createRequire(path.join(home, 'x.js'));
const [file, table] = process.argv.slice(2);
const bytes = readFileSync(file);

const { issues } = await require('gltf-validator').validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
const { numErrors, numWarnings, numInfos, numHints } = issues;
console.log(`validator: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
for (const it of issues.messages) console.log(`  ${it.code} ${it.pointer}: ${it.message}`);
if (numErrors + numWarnings + numInfos + numHints > 0) process.exit(1);
if (!table) process.exit(0);

// Browser objects that the loader needs.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const at = (name) => import(pathToFileURL(path.join(home, 'node_modules', name)).href);
const THREE = await at('three/build/three.module.js');
const { GLTFLoader } = await at('three/examples/jsm/loaders/GLTFLoader.js');
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(buffer, '', resolve, reject));

const [head, ...lines] = readFileSync(table, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
const column = (name) => head.indexOf(name);
const bodies = new Map();
for (const row of lines) {
  const body = `${row[column('panel')]} ${row[column('body')]}`;
  const frames = bodies.get(body) ?? bodies.set(body, []).get(body);
  const frame = (frames[Number(row[column('frame')])] ??= { time: Number(row[column('time')]), nodes: [] });
  frame.nodes.push(['x', 'y', 'z'].map((axis) => Number(row[column(axis)] ?? 0)));
}
let meshes = [];
gltf.scene.traverse((node) => { if (node.isMesh) meshes.push(node); });
if (meshes.length > bodies.size) {
  const bare = meshes.filter((mesh) => !mesh.isSkinnedMesh);
  console.log(`skins without rows in the table, which are not compared: ${meshes.length - bare.length}`);
  meshes = bare;
}
if (meshes.length !== bodies.size) throw new Error(`${meshes.length} meshes, ${bodies.size} bodies`);

const mixer = new THREE.AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[0]);
action.setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();

const SIDES = 8;
const vertices = (mesh, nodes) => {
  const all = [], point = new THREE.Vector3();
  for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
    mesh.getVertexPosition(i, point);
    all.push(point.applyMatrix4(mesh.matrixWorld).toArray());
  }
  if (all.length !== SIDES * (nodes + 2) + 2) return all;
  const ring = (k) => all.slice(1 + SIDES * (k + 1), 1 + SIDES * (k + 2));
  const mean = (points) => [0, 1, 2].map((axis) => points.reduce((sum, it) => sum + it[axis], 0) / SIDES);
  return Array.from({ length: nodes }, (_, k) => mean(ring(k)));
};
const worst = { frames: 0, between: 0 };
const compare = (kind, time, expected) => {
  action.reset().play();
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  meshes.forEach((mesh, index) => {
    // Bones rotate between frames, so points move along arcs.
    if (mesh.isSkinnedMesh && kind === 'between') return;
    const nodes = expected[index], found = vertices(mesh, nodes.length);
    if (found.length !== nodes.length) throw new Error(`${found.length} vertices, ${nodes.length} nodes`);
    nodes.forEach((node, i) => node.forEach((value, axis) => {
      worst[kind] = Math.max(worst[kind], Math.abs(value - found[i][axis]));
    }));
  });
};
const all = [...bodies.values()];
const step = all[0][1].time;
for (let frame = 0; frame < all[0].length; frame++) {
  compare('frames', frame * step, all.map((frames) => frames[frame].nodes));
  if (frame + 1 < all[0].length) {
    const mean = ({ nodes }, next) => nodes.map((node, i) => node.map((value, k) => (value + next.nodes[i][k]) / 2));
    compare('between', (frame + 0.5) * step, all.map((frames) => mean(frames[frame], frames[frame + 1])));
  }
}
console.log(`three.js r${THREE.REVISION}: greatest difference at frames ${worst.frames.toPrecision(3)}, between ${worst.between.toPrecision(3)}`);
process.exit(Math.max(worst.frames, worst.between) <= 1e-6 ? 0 : 1);
