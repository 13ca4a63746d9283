// Starts the built server. `npm start` builds it first when it is missing or older than its sources.
import process from "node:process";
import { setFlagsFromString } from "node:v8";

process.env.NODE_ENV ??= "production";
// Most of what a start makes lives on. Meanwhile the engine would make its space for new objects grow to 32 MB, which a quiet server
// keeps and never needs; under load it grows as ever.
setFlagsFromString("--semi-space-growth-factor=1");
// By what lives on while it starts, the engine would decide for good that the lists of a request belong among old objects; there they keep alive
// what they once referred to, until all garbage is collected.
setFlagsFromString("--no-allocation-site-pretenuring");

try {
  // By its address, so that who checks types does not read the bundle.
  const { start } = await import(new URL("../build/server/index.js", import.meta.url).href);
  await start();
  setFlagsFromString("--semi-space-growth-factor=2");
  // A call goes through hundreds of small functions. By the engine's own limits (460, 920 and 4,600 bytes of its code) many of them stay
  // calls where they could be one piece. See decision 042.
  setFlagsFromString("--max-inlined-bytecode-size=3000");
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=6000");
  setFlagsFromString("--max-inlined-bytecode-size-absolute=9000");
} catch (error) {
  // What the operator has to change is one line; anything else is a fault of the program, with its trace.
  process.stderr.write(`${error?.name === "ConfigError" ? error.message : error?.stack}\n`);
  process.exit(1);
}
