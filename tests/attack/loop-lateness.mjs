// Preloaded into the server under attack. On SIGUSR2 it prints the maximum delay of the event loop since the last
// signal, in milliseconds, and the memory of the process in MB. The attackers run in other processes.
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";

const RESOLUTION_MS = 5;

if (process.argv[1]?.endsWith("start.mjs")) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on("SIGUSR2", () => {
    const latestMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    const line = { latestMs: Math.round(latestMs), rssMb: Math.round(process.memoryUsage.rss() / 1e6) };
    delay.reset();
    process.stderr.write(`\nloop-lateness ${JSON.stringify(line)}\n`);
  });
}
