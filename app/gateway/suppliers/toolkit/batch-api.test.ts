import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asGuarded } from "../../__fixtures__/guarded";
import type { BatchPlace } from "../../canonical/exchange";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { openAiBatches } from "./batch-api";
import { closePools } from "./connection/pools";

type Seen = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
let server: Server;
let place: BatchPlace;
let seen: Seen[] = [];
/** The response to each request; "cut" breaks the connection without one. */
let answer: (request: Seen) => [number, unknown] | "cut";

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
      seen.push(one);
      const said = answer(one);
      if (said === "cut") return void response.socket?.destroy();
      response.writeHead(said[0], { "content-type": "application/json" }).end(JSON.stringify(said[1]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const supplier: BatchPlace["supplier"] = {
    ...{ id: 1, name: "bulk", kind: "chat", baseUrl: `http://127.0.0.1:${port}/v1`, region: "eu" },
    ...{ timeoutMs: 5_000, idleTimeoutMs: 5_000, cooldown: false, streamUsage: true, draining: false },
    extras: { headers: { "x-team": "platform" }, query: { "api-version": "1" }, keyHeader: null },
    credentials: [],
  };
  place = { supplier, credential: { name: "main", apiKey: "sk-a-secret-of-the-supplier" } };
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await closePools();
  await new Promise((resolve) => server.close(resolve));
});

const batches = openAiBatches();
const NEW = { marker: "sbatch_1", dialect: "chat", lines: ['{"a":1}', '{"b":"ü"}'] } as const;
const failureOf = (work: Promise<unknown>): Promise<SupplierFailure> =>
  work.then(
    () => expect.unreachable("it did not fail"),
    (failure: SupplierFailure) => failure,
  );

test("a batch is a file of its lines, and a request that names file and marker", async () => {
  answer = ({ path }) => (path.startsWith("/v1/files") ? [200, { id: "file-1" }] : [200, { id: "batch_up" }]);
  expect(await batches.create(place, NEW)).toBe("batch_up");
  const [upload, create] = seen;
  expect(upload).toMatchObject({ method: "POST", path: "/v1/files?api-version=1" });
  expect(upload?.headers).toMatchObject({ authorization: "Bearer sk-a-secret-of-the-supplier", "x-team": "platform" });
  expect(upload?.body).toContain('\r\n\r\n{"a":1}\n{"b":"ü"}\n\r\n');
  expect(upload?.body).toContain('name="purpose"\r\n\r\nbatch\r\n');
  expect(create?.headers["idempotency-key"]).toBe("sbatch_1");
  expect(JSON.parse(create?.body ?? "")).toEqual({
    ...{ input_file_id: "file-1", endpoint: "/v1/chat/completions", completion_window: "24h" },
    metadata: { gw_batch: "sbatch_1" },
  });
});

test("a line is one line, whatever its request looks like", () => {
  const line = batches.line("id", "embeddings", asGuarded('{\n  "input": "a\\nb"\r\n}'));
  expect(line).not.toMatch(/[\r\n]/);
  expect(JSON.parse(line)).toEqual({
    ...{ custom_id: "id", method: "POST", url: "/v1/embeddings", body: { input: "a\nb" } },
  });
  expect(
    ["chat", "responses", "embeddings", "messages", "speech"].map((name) => batches.takes(name as "chat")),
  ).toEqual([true, true, true, false, false]);
});

test.each([
  ["an upload that is refused", "/v1/files", [413, {}], "no", 413],
  ["an upload that nobody answered", "/v1/files", "cut", "no", null],
  ["a batch that is refused", "/v1/batches", [403, { error: { message: "not you" } }], "no", 403],
  ["a batch that nobody answered", "/v1/batches", "cut", "unknown", null],
  ["a batch whose answer is an error of the supplier's", "/v1/batches", [500, {}], "unknown", 500],
  ["a batch without an id", "/v1/batches", [200, {}], "unknown", null],
  ["batches that are not there", "/v1/batches", [501, {}], "no", 501],
] as const)("%s says whether there may be one now", async (_name, at, said, executed, status) => {
  answer = ({ path }) => (path.startsWith(at) ? (said as [number, unknown] | "cut") : [200, { id: "file-1" }]);
  expect(await failureOf(batches.create(place, NEW))).toMatchObject({ executed, status });
});

test("a batch is found by its marker, page by page, and not among those that are older", async () => {
  const second = 1_700_000_000;
  const lost = (marker: string) => ({ marker, ids: new Set<string>(), since: new Date((second - 3_600) * 1_000) });
  const page = (from: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      ...{ id: `b${from + index}`, created_at: second + 7_300 - (from + index) * 60 },
      metadata: from + index === 150 ? { gw_batch: "sbatch_1" } : null,
    }));
  answer = ({ path }) => [
    200,
    { data: page(path.includes("after=b99") ? 100 : path.includes("after=") ? 200 : 0), has_more: true },
  ];
  expect(await batches.find(place, lost("sbatch_1"))).toBe("b150");
  expect(seen).toHaveLength(2);
  expect(await batches.find(place, lost("sbatch_2"))).toBeNull();
  // The search allows an hour of clock difference.
  expect(seen).toHaveLength(2 + 3);
});

test("how a batch stands, and what it has left", async () => {
  answer = () => [200, { id: "b", status: "expired", input_file_id: "in", output_file_id: "out", error_file_id: null }];
  expect(await batches.read(place, "b")).toEqual({
    ...{ id: "b", outcome: "expired", problem: null, files: ["out"], keeps: ["out", "in"] },
  });
  answer = () => [200, { id: "b", status: "something_new" }];
  expect(await batches.read(place, "b")).toMatchObject({ outcome: null, files: [] });
  answer = () => [200, { id: "b", status: "failed", errors: { data: [{ code: "no such\nthing", message: "No." }] } }];
  expect(await batches.read(place, "b")).toMatchObject({
    ...{ outcome: "failed", problem: { code: "upstream_error", message: "No." } },
  });
  answer = () => [200, { id: "b" }];
  expect(await failureOf(batches.read(place, "b"))).toMatchObject({ kind: "protocol" });
});

test("cancelling what is over is no failure, and not being heard is one", async () => {
  answer = () => [409, { error: { message: "it is over" } }];
  await batches.cancel(place, "b");
  answer = () => [503, {}];
  expect(await failureOf(batches.cancel(place, "b"))).toMatchObject({ status: 503 });
});

test("a result is an answer or a reason, and everything else is none", () => {
  const read = (line: unknown) => batches.readResult(typeof line === "string" ? line : JSON.stringify(line));
  expect(read({ custom_id: "1", response: { status_code: 200, body: { a: 1 } }, error: null })).toEqual({
    ...{ id: "1", answer: { status: 200, body: Buffer.from('{"a":1}') }, problem: null },
  });
  expect(read({ custom_id: "2", response: null, error: { code: "batch_expired", message: "Late." } })).toEqual({
    ...{ id: "2", answer: null, problem: { code: "batch_expired", message: "Late." } },
  });
  for (const wrong of ["{", "null", "[]", '"text"', { response: {} }, { custom_id: 7 }]) expect(read(wrong)).toBeNull();
});
