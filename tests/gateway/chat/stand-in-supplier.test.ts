import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsOf, eventually, pause, textOf } from "../../support/chat-gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

let calls = 0;
async function ask(user: string, more: object = {}) {
  calls += 1;
  const id = `call-${calls}`;
  const response = await fetch(`${standIn.url}/chat/completions`, {
    method: "POST",
    headers: { "x-request-id": id },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], max_tokens: 20, user, ...more }),
  });
  return { id, response };
}

const billOf = async (id: string) => (await standIn.bill()).filter((entry) => entry.id === id);

test("bills what it has answered, to the token that its usage says", async () => {
  const { id, response } = await ask("tokens=7");
  const { usage } = (await response.json()) as { usage: { prompt_tokens: number; completion_tokens: number } };
  expect(usage.completion_tokens).toBe(7);
  expect(await billOf(id)).toMatchObject([
    { promptTokens: usage.prompt_tokens, completionTokens: 7, reason: "complete" },
  ]);
});

test("never exceeds the request's own ceiling", async () => {
  const { id } = await ask("tokens=500");
  expect((await billOf(id))[0]!.completionTokens).toBe(20);
});

test("streams, and bills only what left before a cut", async () => {
  const { id, response } = await ask("fault=fin;tokens=10", { stream: true });
  expect(textOf(await eventsOf(response))).toBe("w0 w1 w2 w3 w4");
  expect(await billOf(id)).toMatchObject([{ completionTokens: 5 }]);
});

test("bills nothing that it refuses", async () => {
  const { id, response } = await ask("fault=429:seconds");
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(await billOf(id)).toEqual([]);
});

test("works through a queue of faults, then by its seed", async () => {
  await standIn.plan({ queue: ["500", "ok", "503"], seed: "a" });
  const statuses = [];
  for (let turn = 0; turn < 4; turn += 1) statuses.push((await ask("")).response.status);
  expect(statuses).toEqual([500, 200, 503, 200]);
  await standIn.plan({ faults: { "500": 0.5 }, seed: "a" });
  const drawn = await Promise.all(Array.from({ length: 20 }, () => ask("").then(({ response }) => response.status)));
  expect(new Set(drawn)).toEqual(new Set([200, 500]));
  await standIn.plan({});
});

test("notices when the other side leaves, and bills what it had produced by then", async () => {
  const id = "leaver";
  const body = { model: "m", messages: [], stream: true, max_tokens: 200, user: "tokens=200;pace=10" };
  const { hostname, port } = new URL(standIn.url);
  const outgoing = request({
    hostname,
    port,
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "x-request-id": id },
  });
  outgoing.on("error", () => undefined);
  outgoing.end(JSON.stringify(body));
  outgoing.on("response", (response) => response.once("data", () => setTimeout(() => response.destroy(), 100)));
  await pause(600);
  const [entry] = (await standIn.seen(id)).requests;
  expect(entry!.abortedAt).not.toBeNull();
  const [billed] = await billOf(id);
  expect(billed!.completionTokens).toBeGreaterThan(0);
  expect(billed!.completionTokens).toBeLessThan(100);
});

test("counts nothing as under way on a connection that is gone, also what waited behind another answer", async () => {
  const socket = connect(Number(new URL(standIn.url).port), "127.0.0.1").on("error", () => undefined);
  for (const fault of ["drip", "reset-before"]) {
    const body = JSON.stringify({ model: `m-fault-${fault}`, stream: true, messages: [] });
    const head = ["POST /v1/chat/completions HTTP/1.1", "host: stand-in", `x-request-id: ${fault}`];
    socket.write([...head, `content-length: ${body.length}`, "", body].join("\r\n"));
  }
  const { requests, inFlight } = await eventually(
    () => standIn.seen("reset-before"),
    (seen) => seen.requests.length === 1 && seen.inFlight === 0,
  );
  socket.destroy();
  expect([requests.length, inFlight]).toEqual([1, 0]);
  expect((await standIn.seen("drip")).requests).toHaveLength(1);
});
