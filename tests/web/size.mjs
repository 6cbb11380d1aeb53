// Checks the size of the module as stored in a page: node tests/web/size.mjs MODULE
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

// Large pages are slow to send and to open.
const MOST = 1850000;

const module = readFileSync(process.argv[2]);
const parts = [module.subarray(0, 8)];
for (let at = 8; at < module.length;) {
  let [size, next, shift] = [0, at + 1, 0];
  for (;;) {
    const byte = module[next++];
    size |= (byte & 127) << shift;
    shift += 7;
    if (byte < 128) break;
  }
  // Custom sections are removed.
  if (module[at] !== 0) parts.push(module.subarray(at, next + size));
  at = next + size;
}
const stripped = Buffer.concat(parts);
const size = brotliCompressSync(stripped).length;
console.log(`module: ${stripped.length} bytes, ${size} after brotli`);
process.exit(size > MOST ? 1 : 0);
