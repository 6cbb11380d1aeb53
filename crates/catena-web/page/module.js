// An instance of the WebAssembly module with its requests. The worker of a page and the tests use it.
"use strict";

// A crate that is linked for one function declares imports of wasm-bindgen. Nothing calls them.
const imports = code => {
  const all = {};
  for (const { module, name } of WebAssembly.Module.imports(code)) {
    all[module] ??= {};
    all[module][name] = () => { throw new Error(`${name} is not there`); };
  }
  return all;
};

const instance = code => {
  const wasm = new WebAssembly.Instance(code, imports(code)).exports;
  const output = length => new Uint8Array(wasm.memory.buffer, wasm.catena_output() >>> 0, length);
  const ask = request => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const place = wasm.catena_input(bytes.length) >>> 0;
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
    const length = wasm.catena_answer() >>> 0;
    return JSON.parse(new TextDecoder().decode(output(length)));
  };
  return { wasm, ask, output };
};
