// Runs the WebAssembly module, so that the page stays responsive.
let code = null;
let module = null;
// The frame that the page waits for, and numbers of frames that it has not got yet.
let wanted = null;
let fresh = [];
let running = false;

// Memory never shrinks, so an instance that has grown beyond this is replaced.
const MAX_MEMORY = 400 << 20;
// Milliseconds between checks for newer requests of the page.
const POLL_PERIOD = 12;
// Milliseconds between frames that are shown on the way to a later one.
const FRAME_PERIOD = 200;

const pause = (() => {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () => new Promise(done => { waiting.push(done); port2.postMessage(0); });
})();

const renew = () => { module = instance(code); };

const read = frame => {
  const { readings } = module.ask({ ask: "readings", frame });
  if (readings) fresh.push(readings);
};

const send = (frame, left) => {
  const length = module.wasm.catena_draw(frame) >>> 0;
  if (length === 0) { postMessage({ is: "nothing" }); return; }
  const pixels = module.output(length).slice().buffer;
  if (!fresh.some(it => it.frame === frame)) read(frame);
  postMessage({ is: "frame", frame, left, pixels, readings: fresh }, [pixels]);
  fresh = [];
};

// Simulates up to the wanted frame, and looks for newer wishes between frames.
const run = async () => {
  if (running) return;
  running = true;
  try {
    while (wanted) {
      const goal = wanted;
      let left = module.wasm.catena_steps_to(goal.frame);
      let at = goal.frame - left;
      let polled = performance.now();
      let shown = polled;
      while (left > 0 && wanted === goal) {
        if (!module.wasm.catena_advance()) {
          postMessage({ is: "ended", frame: at });
          break;
        }
        left -= 1;
        at += 1;
        read(at);
        const now = performance.now();
        if (now - shown > FRAME_PERIOD && left > 0) { send(at, left); shown = now; }
        if (now - polled > POLL_PERIOD) { await pause(); polled = performance.now(); }
      }
      if (wanted !== goal) continue;
      wanted = null;
      send(at, 0);
    }
  } catch (error) {
    broken(error);
  } finally {
    running = false;
  }
};

// After a trap the memory of an instance means nothing any more.
const broken = error => {
  wanted = null;
  renew();
  postMessage({ is: "broken", message: String(error && error.message || error) });
};

// Compiles the packed module while it is unpacked.
const compiled = packed => {
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const headers = { "Content-Type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(unpacked, { headers }));
};

onmessage = async ({ data }) => {
  try {
    if (data.code) {
      code = data.code instanceof WebAssembly.Module ? data.code : await compiled(data.code);
      renew();
      postMessage({ is: "ready", code });
    } else if (data.show !== undefined) {
      wanted = { frame: data.show };
      run();
    } else {
      if (data.request.ask === "open") {
        wanted = null;
        fresh = [];
        if (module.wasm.memory.buffer.byteLength > MAX_MEMORY) renew();
      }
      postMessage({ is: "answer", id: data.id, answer: module.ask(data.request) });
    }
  } catch (error) {
    if (data.id) postMessage({ is: "answer", id: data.id, answer: { is: "refused", faults: [
      { message: "this scene needs more than the browser gives: " + String(error && error.message || error) },
    ] } });
    if (code) broken(error); else postMessage({ is: "broken", message: String(error) });
  }
};
