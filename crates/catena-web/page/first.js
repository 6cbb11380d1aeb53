// Starts the worker before the browser has read the module, which is most of the page.
"use strict";

const startWorker = () => {
  const source = document.getElementById("worker").textContent;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  // The page may listen only after the worker has failed.
  worker.onerror = event => { worker.failure = event; };
  return worker;
};
let firstWorker = null;
const newWorker = () => {
  const worker = firstWorker ?? startWorker();
  firstWorker = null;
  return worker;
};
// A link may name another scene or other numbers than the first frame on the page.
if (location.hash.length > 1) document.getElementById("poster")?.remove();
try {
  firstWorker = startWorker();
} catch {
  // The page tries again, and shows why it fails.
}
