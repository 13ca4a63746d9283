import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually, pause } from "../../support/chat-gateway";
import { freePort, type Gateway, startGateway } from "../../support/gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";
import { catalogueFor } from "../faults/catalogue";
import { modelName, PROTOCOLS } from "../faults/protocols";

const MB = 1024 * 1024;
const CLIENTS = 20;
/** Bytes that operating systems buffer for the two connections of one stream, in addition to gw's own buffers. */
const SOCKET_BUFFERS = 24 * MB;
/** Growth of the heap's young generation in any Node version. Buffering unread streams would need many times more. */
const GROWTH_MB = 96;

let standIn: StandIn;
let gateway: Gateway;
let key: string;
beforeAll(async () => {
  standIn = await startStandIn();
  gateway = await startGateway({ config: catalogueFor(standIn.url, await freePort()) });
  key = (await gateway.createKey({ budget_limit: 10_000, budget_period: "monthly" })).key;
});
afterAll(async () => {
  await gateway?.close();
  await standIn?.close();
});

/** Starts a client that sends its request and then reads nothing until the test resumes it. */
function startSilently(path: string, content: object): Socket {
  const { port } = new URL(gateway.url);
  const body = JSON.stringify(content);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  socket.on("error", () => undefined);
  return socket.pause();
}

const written = async () => (await standIn.seen()).requests.map(({ bytesWritten }) => bytesWritten);

/** Waits until the suppliers stop sending. Returns their numbers of sent bytes. */
async function atRest(): Promise<number[]> {
  let before = await written();
  for (let tries = 0; tries < 20; tries += 1) {
    await pause(500);
    const now = await written();
    if (now.every((bytes, index) => bytes === before[index])) return now;
    before = now;
  }
  throw new Error(`the suppliers go on sending: ${before}`);
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${gateway.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
}

const streams = PROTOCOLS.filter(({ shape }) => shape === "events");

describe.runIf(process.platform === "linux").each(streams)("$name, read by nobody", ({ path, models, body }) => {
  test(`${CLIENTS} clients hold their suppliers back, and gw's memory stays as it is`, async () => {
    const endless = body(modelName(models, "many:1000000"));
    // The first streams of a process compile code, which takes memory once.
    for (let warm = 0; warm < 2; warm += 1) {
      const socket = startSilently(path, body(modelName(models, "many:20000"))).resume();
      await new Promise((resolve) => setTimeout(resolve, 400));
      socket.destroy();
    }
    await standIn.forget();
    const before = await residentMb();
    const clients = Array.from({ length: CLIENTS }, () => startSilently(path, endless));
    onTestFinished(() => clients.forEach((client) => void client.destroy()));
    await eventually(written, (all) => all.length === CLIENTS && all.every((bytes) => bytes > 0));
    // No client reads, so the suppliers stop sending after a while.
    const held = await atRest();
    for (const bytes of held) expect(bytes).toBeLessThan(SOCKET_BUFFERS);
    expect((await residentMb()) - before).toBeLessThan(GROWTH_MB);
    // A client that begins to read receives data.
    let read = 0;
    clients[0]!.on("data", (chunk) => (read += chunk.length)).resume();
    await eventually(
      async () => read,
      (bytes) => bytes > held[0]! + MB,
    );
    expect(read).toBeGreaterThan(held[0]! + MB);
    for (const client of clients) client.destroy();
    const { inFlight } = await eventually(
      () => standIn.seen("none"),
      (seen) => seen.inFlight === 0,
    );
    expect(inFlight).toBe(0);
  });
});

test("every one of them was booked, once", async () => {
  const rows = await eventually(
    () => gateway.sql("SELECT outcome, count(*)::int AS n FROM usage_event GROUP BY outcome"),
    (all) => all.some(({ outcome, n }) => outcome === "client_abort" && n >= CLIENTS * streams.length),
  );
  expect(rows.find(({ outcome }) => outcome === "client_abort").n).toBeGreaterThanOrEqual(CLIENTS * streams.length);
  // Aborted warm-up calls count too, so enough rows may exist while the last call still settles.
  const open = await eventually(
    () => gateway.sql("SELECT id FROM hold WHERE state IN ('reserved', 'dispatched')"),
    (holds) => holds.length === 0,
  );
  expect(open).toEqual([]);
  expect(await gateway.sql("SELECT * FROM ledger_audit")).toEqual([]);
});
