import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asGuarded } from "../../__fixtures__/guarded";
import type { BatchPlace } from "../../canonical/exchange";
import { closePools } from "../toolkit/connection/pools";
import { messageBatches } from "./batches";

let server: Server;
let place: BatchPlace;
let seen: { method: string; path: string; headers: object; body: string }[] = [];
let answers: Record<string, unknown> = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString("utf8") });
      const answer = answers[`${method} ${path}`];
      response.writeHead(answer === undefined ? 404 : 200);
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const supplier: BatchPlace["supplier"] = {
    ...{ id: 1, name: "letters", kind: "messages", baseUrl: `http://127.0.0.1:${port}/v1`, region: "eu" },
    ...{ timeoutMs: 5_000, idleTimeoutMs: 5_000, cooldown: false, streamUsage: true, draining: false, credentials: [] },
  };
  place = { supplier, credential: { name: "main", apiKey: "sk-of-the-supplier" } };
});
afterAll(async () => {
  await closePools();
  await new Promise((resolve) => server.close(resolve));
});

const LIST = "GET /v1/messages/batches?limit=100";
const at = (hours: number) => new Date(Date.UTC(2026, 0, 10, hours)).toISOString();
const batch = (id: string, status: string, hours = 12) => ({ id, processing_status: status, created_at: at(hours) });
const lost = { marker: "sbatch_1", ids: new Set(["mine"]), since: new Date(at(12)) };

test("a batch is its requests, each under its id, with the key and the version that suppliers ask for", async () => {
  answers = { "POST /v1/messages/batches": batch("b1", "in_progress") };
  seen = [];
  const lines = ['{"model":"m"}', "{}"].map((body, index) =>
    messageBatches.line(index === 0 ? "one" : "two", "messages", asGuarded(body)),
  );
  expect(await messageBatches.create(place, { marker: "sbatch_1", dialect: "messages", lines })).toBe("b1");
  expect(seen[0]?.headers).toMatchObject({ "x-api-key": "sk-of-the-supplier", "anthropic-version": "2023-06-01" });
  expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
    requests: [
      { custom_id: "one", params: { model: "m" } },
      { custom_id: "two", params: {} },
    ],
  });
});

test("one that was lost is known by its results, and is none while one is under way that may be it", async () => {
  const results = (id: string) => `${JSON.stringify({ custom_id: id, result: { type: "expired" } })}\n`;
  answers = {
    [LIST]: { data: [batch("b3", "ended"), batch("b2", "ended"), batch("b1", "ended", 9)], has_more: false },
    "GET /v1/messages/batches/b3/results": results("somebody's"),
    "GET /v1/messages/batches/b2/results": results("mine"),
  };
  expect(await messageBatches.find(place, lost)).toBe("b2");
  answers[LIST] = { data: [batch("b3", "ended")], has_more: false };
  expect(await messageBatches.find(place, lost)).toBeNull();
  answers[LIST] = { data: [batch("b4", "in_progress"), batch("b3", "ended")], has_more: false };
  await expect(messageBatches.find(place, lost)).rejects.toMatchObject({ name: "SupplierFailure" });
  // A batch that was created long before is a different one, whatever its state.
  answers[LIST] = { data: [batch("b0", "in_progress", 9)], has_more: true };
  expect(await messageBatches.find(place, lost)).toBeNull();
});

test("a batch is over when it has ended, and its results are what it keeps", async () => {
  answers = { "GET /v1/messages/batches/b": batch("b", "canceling") };
  expect(await messageBatches.read(place, "b")).toMatchObject({ outcome: null, files: [] });
  answers = { "GET /v1/messages/batches/b": batch("b", "ended") };
  expect(await messageBatches.read(place, "b")).toMatchObject({ outcome: "completed", files: ["b"], keeps: ["b"] });
  await messageBatches.cancel(place, "gone");
});

test("a result is an answer with the status of its kind, or says that it was not worked", () => {
  const read = (result: object) => messageBatches.readResult(JSON.stringify({ custom_id: "1", result }));
  expect(read({ type: "succeeded", message: { id: "msg" } })?.answer).toEqual({
    status: 200,
    body: Buffer.from('{"id":"msg"}'),
  });
  const long = '{"content":[{"type":"tool_use","input":{"id":1234567890123456789}}]}';
  const line = `{"custom_id":"1","result":{"type":"succeeded","message":${long}}}`;
  expect(messageBatches.readResult(line)?.answer?.body.toString()).toBe(long);
  const errored = (type: string) => read({ type: "errored", error: { type: "error", error: { type, message: "no" } } });
  expect(errored("invalid_request_error")?.answer?.status).toBe(400);
  expect(errored("overloaded_error")?.answer?.status).toBe(529);
  expect(read({ type: "expired" })).toMatchObject({ answer: null, problem: { code: "batch_expired" } });
  expect(read({ type: "canceled" })).toMatchObject({ answer: null, problem: { code: "batch_cancelled" } });
  expect(read({ type: "something_new" })).toEqual({ id: "1", answer: null, problem: null });
  for (const wrong of ["{", "null", "{}"]) expect(messageBatches.readResult(wrong)).toBeNull();
});
