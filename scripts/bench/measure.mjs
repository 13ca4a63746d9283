// What one row of the benchmark is made of: a load from a process of its own, and the processor time of the one measured.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export const connections = Number(process.env.BENCH_CONNECTIONS ?? 24);
export const seconds = Number(process.env.BENCH_SECONDS ?? 5);

/** Long enough for the just-in-time compiler to have seen the path a few thousand times. */
const WARM_UP_SECONDS = 5;

/** Runs the load once to warm up and once to measure; processor time is the server process's own. */
export async function load(target, headers, stream) {
  await warmUp(target, headers, stream);
  return loadOnce(target, headers, stream, seconds);
}

export const warmUp = (target, headers, stream) => run(target, headers, stream, WARM_UP_SECONDS);

/** One measured load, as fast as it goes or at `rate` requests a second. `micros`: processor time for each request. */
export async function loadOnce(target, headers, stream, duration, rate = undefined) {
  const before = processorMicroseconds(target.pid);
  const result = await run(target, headers, stream, duration, rate);
  const micros = (processorMicroseconds(target.pid) - before) / result.requests;
  if (result.failed > 0)
    process.stderr.write(`${result.failed} of ${result.requests} requests failed on port ${target.port}\n`);
  return { ...result, micros };
}

function run({ port, path, model = "bench" }, headers, stream, duration, rate = undefined) {
  const options = {
    url: `http://127.0.0.1:${port}${path}`,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body(model, path, stream),
    connections,
    duration,
    ...(rate === undefined ? {} : { overallRate: Math.max(1, Math.round(rate)) }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["scripts/bench/load.mjs", JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.once("exit", (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`the load ended with ${code}`)),
    );
  });
}

/** The same conversation in the dialect of the path. */
function body(model, path, stream) {
  const system = "You are a helpful assistant.";
  const user = { role: "user", content: "Write one hundred words about the sea." };
  const conversation = path.endsWith("/messages")
    ? { system, messages: [user] }
    : { messages: [{ role: "system", content: system }, user] };
  return JSON.stringify({ model, ...conversation, max_tokens: 200, ...(stream ? { stream: true } : {}) });
}

/** utime + stime of a process (proc(5), fields 14 and 15), at 100 ticks a second. */
function processorMicroseconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export function residentMegabytes(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

/** Cells of a table's line. */
export const line = (...cells) =>
  cells.map((cell, i) => (i === 0 ? String(cell).padEnd(40) : String(cell).padStart(11))).join("");

export const times = (value, base) => `${(value / base).toFixed(2)} x`;
