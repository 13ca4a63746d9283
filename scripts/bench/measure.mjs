// Measures one row of the benchmark: a load from a process of its own, and the processor time of the server and its
// database.
import { spawn } from "node:child_process";
import { processorMicroseconds } from "./processes.mjs";

export const connections = Number(process.env.BENCH_CONNECTIONS ?? 24);
export const seconds = Number(process.env.BENCH_SECONDS ?? 5);
/** Long enough for the just-in-time compiler to optimise the path, after a few thousand calls. */
const warmUpSeconds = Number(process.env.BENCH_WARM_UP_SECONDS ?? 5);
/** Number of alternations between a row and its reference. */
export const ROUNDS = 3;

/** Messages of all failures so far; a run with a failure has failed. */
export const failures = [];

export const warmUp = (target, headers, stream) => run(target, headers, stream, warmUpSeconds);

/**
 * Measures one load, at full speed or at `rate` requests a second. Returns sums of processor time in microseconds:
 * `server`, and `database`, which is null if the database's processes are not visible. Only complete answers count as
 * requests.
 */
export async function loadOnce(target, headers, stream, duration, rate = undefined) {
  const databaseBefore = await databaseTime(target);
  const before = processorMicroseconds(target.pid);
  const result = await run(target, headers, stream, duration, rate);
  const server = processorMicroseconds(target.pid) - before;
  const databaseAfter = await databaseTime(target);
  const database = databaseBefore === null || databaseAfter === null ? null : difference(databaseAfter, databaseBefore);
  return { ...result, server, database };
}

/** Returns the processor time of each database process of the target; null if they are not visible. */
async function databaseTime({ databasePids }) {
  const pids = (await databasePids?.()) ?? null;
  return pids && new Map(pids.map((pid) => [pid, processorMicroseconds(pid)]));
}

/** Sums the processor time used in between; of a new process, all of its time. */
const difference = (after, before) => {
  let sum = 0;
  for (const [pid, micros] of after) sum += micros - (before.get(pid) ?? 0);
  return sum;
};

/** Combines several loads: sums of requests and times, the median of the medians, and the maximum latency. */
export function together(loads) {
  const sum = (field) => loads.reduce((total, load) => total + load[field], 0);
  const requests = sum("requests");
  const database = loads.some((load) => load.database === null) ? null : sum("database") / requests;
  const medians = loads.map(({ p50 }) => p50).sort((one, other) => one - other);
  return {
    requests,
    failed: sum("failed"),
    server: sum("server") / requests,
    database,
    perSecond: sum("perSecond") / loads.length,
    p50: medians[Math.floor(medians.length / 2)],
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  };
}

async function run(
  { name = "", port, path, model = "bench", stored = false },
  headers,
  stream,
  duration,
  rate = undefined,
) {
  const options = {
    url: `http://127.0.0.1:${port}${path}`,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body(model, path, stream, stored),
    connections,
    duration,
    ...(rate === undefined ? {} : { overallRate: Math.max(1, Math.round(rate)) }),
    answers: {
      client: DIALECTS.find((dialect) => path.endsWith(`/${dialect}`)) ?? "chat",
      supplier: DIALECTS.find((dialect) => model.endsWith(`-${dialect}`)) ?? "chat",
      stream,
    },
  };
  const result = await loaded(options);
  const what = `${name} ${model} ${path}, ${stream ? "streams" : "whole answers"}`;
  if (result.failed > 0) failures.push(`${result.failed} requests failed (${result.how}): ${what}`);
  if (result.requests === 0) failures.push(`no request was answered: ${what}`);
  return result;
}

/** Runs `load.mjs` with these options. */
export function loaded(options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["scripts/bench/load.mjs", JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.once("close", (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`the load ended with ${code}`)),
    );
  });
}

const DIALECTS = ["messages", "responses"];

/** Returns the same conversation in the dialect of the path. `stored`: gw stores the response. */
export function body(model, path, stream, stored = false) {
  const system = "You are a helpful assistant.";
  const user = { role: "user", content: "Write one hundred words about the sea." };
  if (path.endsWith("/responses")) {
    const asked = { model, instructions: system, input: [user], max_output_tokens: 200, store: stored };
    return JSON.stringify(stream ? { ...asked, stream } : asked);
  }
  const conversation = path.endsWith("/messages")
    ? { system, messages: [user] }
    : { messages: [{ role: "system", content: system }, user] };
  return JSON.stringify({ model, ...conversation, max_tokens: 200, ...(stream ? { stream: true } : {}) });
}
