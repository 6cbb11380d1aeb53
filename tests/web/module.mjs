// The WebAssembly module in Node, with the requests that a page makes.

/** Compiles a module once; every scene gets an instance. */
export const load = bytes => {
  const code = new WebAssembly.Module(bytes);
  // Imports of wasm-bindgen, which nothing calls.
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(code)) {
    imports[module] ??= {};
    imports[module][name] = () => { throw new Error(`${name} is not there`); };
  }
  return () => {
    const wasm = new WebAssembly.Instance(code, imports).exports;
    const output = length => new Uint8Array(wasm.memory.buffer, wasm.catena_output() >>> 0, length);
    const ask = request => {
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      const place = wasm.catena_input(bytes.length) >>> 0;
      new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
      const length = wasm.catena_answer() >>> 0;
      return JSON.parse(new TextDecoder().decode(output(length)));
    };
    const go = frame => {
      for (let left = wasm.catena_steps_to(frame); left > 0; left -= 1) {
        if (!wasm.catena_advance()) throw new Error(`frame ${frame} is not reached`);
      }
    };
    return { wasm, ask, go, output };
  };
};
