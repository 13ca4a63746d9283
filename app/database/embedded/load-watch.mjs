// Measures the load of the embedded database. It runs on the one thread of its process, so the busy share of that
// thread is the used share of the database's capacity.
import { performance } from "node:perf_hooks";

/** Busy share from which the database is the bottleneck of response times. */
const BUSY_SHARE = 0.9;

/** Calls `report` after each period with a busy share of at least `BUSY_SHARE`. Stopped by `stop`. */
export function watchLoad({ everyMs, report }) {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const share = performance.eventLoopUtilization(before).utilization;
    before = performance.eventLoopUtilization();
    if (share >= BUSY_SHARE) report(share);
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
