import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ env: { TRUST_PROXY: "1" } });
}, 120_000);
afterAll(() => portal?.close());

const CROWD = 200;

/** Sends the requests from another thread, so that the cost of sending does not count as delay of the server. */
const SENDER = `
const { parentPort, workerData: { url, crowd, round } } = require("node:worker_threads");
const { request } = require("node:http");
const signIn = (at) => new Promise((resolve) => {
  const body = JSON.stringify({ email: "nobody-" + round + "-" + at + "@example.com", password: "several words and a half" });
  const headers = { "content-type": "application/json", accept: "application/json", "sec-fetch-site": "same-origin",
    "content-length": body.length, "x-forwarded-for": "10.0." + round + "." + at };
  const sent = request(url + "/auth/login", { method: "POST", agent: false, headers }, (answer) => {
    answer.resume().on("end", () => resolve(answer.statusCode));
  });
  sent.on("error", ({ code }) => resolve(code)).end(body);
});
Promise.all(Array.from({ length: crowd }, (_, at) => signIn(at))).then((answers) => parentPort.postMessage(answers));
`;

const crowdOfSignIns = (round: number): Promise<(number | string)[]> =>
  new Promise((resolve, reject) => {
    const workerData = { url: portal.url, crowd: CROWD, round };
    new Worker(SENDER, { eval: true, workerData }).once("message", resolve).once("error", reject);
  });

/** Times 100 health checks while `work` runs. Returns the 95th percentile and the maximum in milliseconds. */
async function healthDuring(work: Promise<unknown>): Promise<{ usual: number; worst: number }> {
  let over = false;
  void work.finally(() => (over = true));
  const took: number[] = [];
  while (!over) {
    const beganMs = performance.now();
    await (await fetch(`${portal.url}/health`)).text();
    took.push(performance.now() - beganMs);
    await pause(5);
  }
  const sorted = took.toSorted((a, b) => a - b);
  return { usual: sorted[Math.floor(sorted.length * 0.95)] ?? 0, worst: sorted.at(-1) ?? 0 };
}

function memoryMb(): number {
  const status = readFileSync(`/proc/${portal.gateway.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test("two hundred sign-ins at once hold up nobody else, and take no memory that stays", async () => {
  // Warm up: code is slower on its first run.
  await crowdOfSignIns(0);
  const idle = await healthDuring(pause(3_000));
  const [before, crowd] = [memoryMb(), crowdOfSignIns(1)];
  const busy = await healthDuring(crowd);
  const answers = await crowd;
  expect(answers.every((status) => status === 401 || status === 429)).toBe(true);
  expect(answers.filter((status) => status === 401).length).toBeGreaterThan(30);
  // On a busy machine health checks are slow even without a crowd.
  expect(busy.usual).toBeLessThanOrEqual(Math.max(100, idle.worst * 3));
  expect(busy.worst).toBeLessThanOrEqual(Math.max(100, idle.worst * 3) * 3);
  expect(memoryMb() - before).toBeLessThan(120);
}, 120_000);
