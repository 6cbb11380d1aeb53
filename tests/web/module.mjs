// Runs the WebAssembly module in Node, with the requests that a page makes.
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../../crates/catena-web/page/module.js", import.meta.url), "utf8");
const instance = new Function(`${source}\nreturn instance;`)();

/** Compiles a module once, and makes an instance for each scene. */
export const load = bytes => {
  const code = new WebAssembly.Module(bytes);
  return () => {
    const module = instance(code);
    const go = frame => {
      for (let left = module.wasm.catena_steps_to(frame); left > 0; left -= 1) {
        if (!module.wasm.catena_advance()) throw new Error(`frame ${frame} is not reached`);
      }
    };
    return { ...module, go };
  };
};
