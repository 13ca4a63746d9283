import { spawn } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** How late answers were, in milliseconds: the worst of them and the one that 99 of 100 were faster than. */
export type Lateness = { worst: number; p99: number; count: number };

/**
 * Asks an address again and again while something else happens, from a thread of its own, so that the work of the test
 * is not taken for the server's.
 */
export async function latenessDuring(url: string, happens: () => Promise<unknown>): Promise<Lateness> {
  const worker = new Worker(PROBE, { eval: true, workerData: { url } });
  const told = new Promise<number[]>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  try {
    await happens();
    worker.postMessage("stop");
    const afterMs = (await told).sort((a, b) => a - b);
    const at = (share: number) => afterMs[Math.min(afterMs.length - 1, Math.floor(afterMs.length * share))] ?? 0;
    return { worst: Math.round(at(1)), p99: Math.round(at(0.99)), count: afterMs.length };
  } finally {
    await worker.terminate();
  }
}

/** A server in a process of its own that takes what it is sent and does nothing with it: what the machine allows. */
export async function startIdler(): Promise<{ url: string; close(): void }> {
  const child = spawn(process.execPath, ["-e", IDLER], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, close: () => child.kill("SIGKILL") };
}

const IDLER = `
  const server = require("node:http").createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => outgoing.end("{}"));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const PROBE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Agent, get } = require("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const afterMs = [];
  let underWay = 0;
  let stopped = false;
  const finish = () => { if (stopped && underWay === 0) parentPort.postMessage(afterMs); };
  const done = (since) => { afterMs.push(performance.now() - since); underWay -= 1; finish(); };
  const timer = setInterval(() => {
    if (underWay > 32) return;
    const since = performance.now();
    underWay += 1;
    get(workerData.url, { agent }, (answer) => { answer.resume(); answer.on("end", () => done(since)); })
      .on("error", () => done(since - 60000));
  }, 20);
  parentPort.once("message", () => { stopped = true; clearInterval(timer); finish(); });
`;
