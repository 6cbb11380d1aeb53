// Starts the worker before the browser has read the module, which is most of the page.
"use strict";

const startWorker = () => {
  const source = document.getElementById("worker").textContent;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
};
let firstWorker = startWorker();
const newWorker = () => {
  const worker = firstWorker ?? startWorker();
  firstWorker = null;
  return worker;
};
