// Starts the built server. `npm start` first builds it if it is missing or older than its sources.
import process from "node:process";
import { setFlagsFromString } from "node:v8";

process.env.NODE_ENV ||= "production";
// Most objects of a start are long-lived. They would make V8 enlarge its young generation to 32 MB, which an idle
// server keeps without need. Under load, it may grow as usual (see below).
setFlagsFromString("--semi-space-growth-factor=1");
// From the long-lived objects of a start, V8 would learn to allocate the arrays of requests in the old generation for
// good. There, they retain everything that they once referenced until a major collection.
setFlagsFromString("--no-allocation-site-pretenuring");

try {
  // Imported by URL, so that the type checker does not read the bundle.
  const { start } = await import(new URL("../build/server/index.js", import.meta.url).href);
  await start();
  setFlagsFromString("--semi-space-growth-factor=2");
  // A call passes through hundreds of small functions. V8's default limits (460, 920 and 4,600 bytes of bytecode) leave
  // many of them as calls instead of inlining them. See decision 042.
  setFlagsFromString("--max-inlined-bytecode-size=3000");
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=6000");
  setFlagsFromString("--max-inlined-bytecode-size-absolute=9000");
} catch (error) {
  // A configuration error is printed as one line; any other error is a bug, printed with its stack.
  process.stderr.write(`${error?.name === "ConfigError" ? error.message : error?.stack}\n`);
  process.exit(1);
}
