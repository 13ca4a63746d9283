import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "minor" }) => void;

let collect: Collect | null | undefined;

/**
 * Frees recent garbage; takes about a millisecond. Node copies every piece of a request body, and V8 lets 32 MB of such
 * copies accumulate before it collects: an upload would cost its own size in memory.
 */
export function runMinorGc(): void {
  collect ??= exposed();
  collect?.({ type: "minor" });
}

function exposed(): Collect | null {
  if (typeof globalThis.gc === "function") return globalThis.gc as Collect;
  setFlagsFromString("--expose-gc");
  const gcFunction: unknown = runInNewContext("typeof gc === 'function' ? gc : null");
  setFlagsFromString("--no-expose-gc");
  return gcFunction as Collect | null;
}
