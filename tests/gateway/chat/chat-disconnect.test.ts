import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ChatGateway,
  eventually,
  expectCleanBooks,
  pause,
  priceOf,
  startChatGateway,
} from "../../support/chat-gateway";
import { freePort } from "../../support/gateway";
import { fractionOf } from "../../support/stand-in-supplier/random.mjs";

const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);
const RUNS = 100;
const AT_ONCE = 20;

let gateway: ChatGateway;
let metrics: string;
beforeAll(async () => {
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  gateway = await startChatGateway({ env: { GW_METRICS_PORT: String(port) } });
});
afterAll(() => gateway?.close());

/** Starts a call and disconnects after a random time. Returns the time of the disconnect. */
async function leave(run: number): Promise<{ marker: string; leftAt: number }> {
  const marker = `run-${run}-`;
  const controller = new AbortController();
  const stream = run % 2 === 0;
  const pace = stream ? "tokens=200;pace=15" : "tokens=20;delay=1500";
  const body = { stream, max_tokens: 200, user: `${pace};run=${marker}` };
  const answered = gateway
    .chat(body, { signal: controller.signal })
    .then((response) => response.text())
    .catch(() => "left");
  await pause(60 + fractionOf(`${SEED}/${run}`) * 1_000);
  controller.abort();
  const leftAt = Date.now();
  expect(await answered).toBe("left");
  return { marker, leftAt };
}

test(`${RUNS} clients that leave: the supplier is let go, each call is booked once (SEED=${SEED})`, async () => {
  // The first call only warms up the process.
  expect((await gateway.chat()).status).toBe(200);
  const left: Awaited<ReturnType<typeof leave>>[] = [];
  for (let from = 0; from < RUNS; from += AT_ONCE) {
    left.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => leave(from + index)))));
  }
  const { requests } = await eventually(
    () => gateway.standIn.seen(),
    ({ inFlight }) => inFlight === 0,
  );
  const waits: number[] = [];
  for (const { marker, leftAt } of left) {
    const seen = requests.find(({ body }) => body.includes(marker));
    // The client disconnected before the dispatch.
    if (seen === undefined) continue;
    expect(seen.abortedAt, marker).not.toBeNull();
    waits.push(seen.abortedAt! - leftAt);
    const { hold, usage } = await gateway.booked(seen.id);
    expect(usage.length, marker).toBe(hold!.state === "review" ? 0 : 1);
    if (hold!.state === "review") continue;
    expect(usage[0]).toMatchObject({ outcome: "client_abort" });
    // The supplier writes its bill to disk after it has closed the connection.
    const bill = await eventually(
      () => gateway.standIn.bill(),
      (entries) => usage[0]!.charged === 0n || entries.some(({ id }) => id === seen.id),
    );
    const billed = bill.filter(({ id }) => id === seen.id);
    // gw's token estimate differs from the supplier's count, but never by an order of magnitude.
    const cost = billed.reduce((sum, entry) => sum + priceOf(entry.promptTokens, entry.completionTokens), 0n);
    expect(usage[0]!.charged).toBeLessThanOrEqual(3n * cost + priceOf(50, 10));
  }
  waits.sort((a, b) => a - b);
  process.stdout.write(`supplier let go after p50 ${waits[waits.length >> 1]} ms, most ${waits.at(-1)} ms\n`);
  expect(waits.length).toBeGreaterThan(RUNS / 2);
  await expectCleanBooks(gateway);
});

test.each([false, true])(
  "a client that leaves before its answer begins is nobody's failure (stream: %s)",
  async (stream) => {
    const marker = `early-${stream}`;
    const controller = new AbortController();
    const body = { stream, user: `delay=5000;run=${marker}` };
    const answered = gateway.chat(body, { signal: controller.signal }).catch(() => "left");
    const { requests } = await eventually(
      () => gateway.standIn.seen(),
      (seen) => seen.requests.some((request) => request.body.includes(marker)),
    );
    controller.abort();
    expect(await answered).toBe("left");
    const { id } = requests.find((request) => request.body.includes(marker))!;
    const { usage } = await eventually(
      () => gateway.booked(id),
      (booked) => booked.usage.length > 0,
    );
    expect(usage[0]).toMatchObject({ outcome: "client_abort", status: 499, errorCode: null, charged: 0n });
    expect(usage[0]!.attempts).toMatchObject([{ supplier: "primary", outcome: "client_left", status: null }]);
    const counted = await (await fetch(metrics)).text();
    expect(counted).toMatch(/gw_requests_total\{[^}]*status="499",code=""\} /);
    expect(counted).not.toMatch(/gw_requests_total\{[^}]*status="5/);
  },
);
