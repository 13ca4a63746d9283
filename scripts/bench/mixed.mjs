// Measures a realistic load: whole answers, streams, embeddings and rejections by a rate limit, concurrently at a
// steady rate. Reports the event loop's delay, and whether the server's memory is stable.
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { bearer, freePort, withGateway } from "./gateway.mjs";
import { body, failures } from "./measure.mjs";
import { loadOfMachine, processorMicroseconds, residentMegabytes } from "./processes.mjs";
import { line } from "./table.mjs";

const EVERY_MS = 30_000;
/** Requests a second of each kind. */
const RATES = { whole: 60, stream: 15, embedding: 30, refused: 20 };
const HEADS = ["requests", "failed", "p99 ms", "delay p99", "CPU %", "MB"];

/**
 * Loads a gateway for this number of seconds, on the PostgreSQL database `url` or the embedded one; prints a line every
 * 30 seconds.
 */
export async function measureMixed({ folder, upstream, seconds, url }) {
  const metricsPort = await freePort();
  const env = { GW_METRICS_PORT: String(metricsPort), ...(url ? { DATABASE_URL: url } : {}) };
  await withGateway(folder, upstream, env, async (target, keys) => {
    const limited = await keys.issue({ name: "limited", rate_limit_rpm: 1 });
    await keys.charge();
    await pause(2_000);
    const kinds = kindsOf(keys.paying, limited);
    await loaded(target, kinds, 5);
    await delayOf(metricsPort);
    process.stdout.write(
      `\n${seconds} s, ${JSON.stringify(RATES)} a second, ${loadOfMachine()}\n${line("", ...HEADS)}\n`,
    );
    for (let left = seconds; left > 0; left -= EVERY_MS / 1000) {
      const duration = Math.min(left, EVERY_MS / 1000);
      const before = processorMicroseconds(target.pid);
      const { times, failed, why } = await loaded(target, kinds, duration);
      const busy = (processorMicroseconds(target.pid) - before) / duration / 10_000;
      const delay = await delayOf(metricsPort);
      times.sort((one, other) => one - other);
      const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
      const figures = [times.length, failed, p99.toFixed(0), delay.toFixed(1), busy.toFixed(0)];
      process.stdout.write(
        `${line(`after ${seconds - left + duration} s`, ...figures, residentMegabytes(target.pid))}\n`,
      );
      if (failed > 0) failures.push(`${failed} requests of the mixed load failed: ${why}`);
    }
    process.stdout.write(`${loadOfMachine()}\n`);
  });
}

function kindsOf(paying, limited) {
  const chat = "/v1/chat/completions";
  const embedding = JSON.stringify({ model: "bench-embeddings", input: "Twenty-four tokens about the sea." });
  return {
    whole: {
      path: chat,
      key: paying,
      text: body("bench", chat, false),
      isRight: (status, end) => status === 200 && end.endsWith("}"),
    },
    stream: {
      path: chat,
      key: paying,
      text: body("bench", chat, true),
      isRight: (status, end) => status === 200 && end.endsWith("data: [DONE]\n\n"),
    },
    embedding: {
      path: "/v1/embeddings",
      key: paying,
      text: embedding,
      isRight: (status, end) => status === 200 && end.endsWith("}"),
    },
    // The first request of each minute may pass.
    refused: {
      path: chat,
      key: limited,
      text: body("bench", chat, false),
      isRight: (status) => status === 429 || status === 200,
    },
  };
}

/** Sends each kind at its rate for `duration` seconds, independent of the answers. */
async function loaded({ port }, kinds, duration) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const result = { times: [], failed: 0, why: "" };
  const under = new Set();
  const send = (kind) => {
    const begun = performance.now();
    const ended = ask(agent, port, kind).then(
      ({ status, end }) => {
        result.times.push(performance.now() - begun);
        if (!kind.isRight(status, end)) fail(`${kind.path} ${status} ${end.slice(-80)}`);
      },
      (problem) => fail(problem.message),
    );
    under.add(ended);
    ended.finally(() => under.delete(ended));
  };
  const fail = (why) => Object.assign(result, { failed: result.failed + 1, why });
  const begun = performance.now();
  const sent = Object.fromEntries(Object.keys(RATES).map((name) => [name, 0]));
  while (performance.now() - begun < duration * 1000) {
    const at = (performance.now() - begun) / 1000;
    for (const [name, rate] of Object.entries(RATES)) for (; sent[name] < at * rate; sent[name] += 1) send(kinds[name]);
    await pause(5);
  }
  await Promise.all(under);
  agent.destroy();
  return result;
}

function ask(agent, port, { path, key, text }) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...bearer(key) };
    const asked = request({ agent, port, path, method: "POST", headers }, (response) => {
      let end = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (end = (end + chunk).slice(-200)));
      response.once("end", () => resolve({ status: response.statusCode, end }));
      response.once("error", reject);
    });
    asked.once("error", reject);
    asked.end(text);
  });
}

/** Returns the 99th percentile of the event loop's delay since the previous read, in milliseconds. */
async function delayOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error("the metrics do not tell how late the event loop is");
  return Number(seconds) * 1000;
}
