// Prints the skinned vertices of a glTF file as computed by three.js.
//
//   npm install three@0.187
//   node three_gltf.mjs FILE.gltf STEP COUNT > FILE.three.txt
//
// All animations are played at once, at COUNT times STEP seconds apart, starting at 0. For each time and each skinned mesh, the script
// prints a line `mesh NAME COUNT at TIME`, and then one line per vertex with its position. The script makes three.js compute in double
// precision where it would round to single precision: keys, quaternions (normalised first, as glTF requires), and weights (divided by
// their sum). Interpolation and skinning are three.js's own.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// three.js is loaded from node_modules of the current folder.
const load = (file) => import(pathToFileURL(path.resolve('node_modules/three', file)).href);

// The loader expects these three browser objects, but does not use them here.
globalThis.self = globalThis;
globalThis.ProgressEvent = class extends Event {};
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };

const THREE = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');

// The loader normalises weights in the type of the file, which may have only 256 steps.
THREE.SkinnedMesh.prototype.normalizeSkinWeights = function () {
  const { skinWeight } = this.geometry.attributes;
  if (skinWeight.array instanceof Float64Array) return;
  const weights = new Float64Array(4 * skinWeight.count);
  for (let i = 0; i < skinWeight.count; i++) {
    const own = ['getX', 'getY', 'getZ', 'getW'].map((get) => skinWeight[get](i));
    const sum = own.reduce((a, b) => a + b);
    weights.set(sum > 0 ? own.map((weight) => weight / sum) : [1, 0, 0, 0], 4 * i);
  }
  this.geometry.setAttribute('skinWeight', new THREE.BufferAttribute(weights, 4));
};

const [file, step, count] = process.argv.slice(2);
const root = JSON.parse(readFileSync(file, 'utf8'));
for (const buffer of root.buffers) {
  if (buffer.uri.startsWith('data:')) continue;
  const bytes = readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri)));
  buffer.uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
}
for (const mesh of root.meshes) for (const primitive of mesh.primitives) delete primitive.material;
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(JSON.stringify(root), '', resolve, reject));

for (const track of gltf.animations.flatMap((clip) => clip.tracks)) {
  track.values = Float64Array.from(track.values);
  if (!track.name.endsWith('.quaternion')) continue;
  // A key of a spline is a tangent, a value and a tangent.
  const width = track.values.length / track.times.length;
  for (let at = width === 12 ? 4 : 0; at < track.values.length; at += width) {
    const quaternion = track.values.subarray(at, at + 4);
    const length = Math.hypot(...quaternion);
    quaternion.forEach((part, k) => { quaternion[k] = part / length; });
  }
}

gltf.scene.traverse((node) => node.quaternion.normalize());

const mixer = new THREE.AnimationMixer(gltf.scene);
for (let k = 0; k < Number(count); k++) {
  const time = k * Number(step);
  mixer.stopAllAction();
  for (const clip of gltf.animations) {
    const action = mixer.clipAction(clip).reset().setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
  }
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const vertices = mesh.geometry.attributes.position.count;
    console.log(`mesh ${mesh.name} ${vertices} at ${time}`);
    for (let i = 0; i < vertices; i++) {
      const place = mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
      console.log(place.toArray().map((part) => Number(part.toFixed(10))).join(' '));
    }
  });
}
