import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, type Portal, startPortal } from "../support/portal";
import { aTenant, type Tenant } from "../support/tenants";
import { pathWith, unsafeOperations } from "./operations";
import { FULL, faultIn, overAll, report, SEED } from "./target";

const BODIES = FULL ? 6_000 : 900;

let target: Portal;
let tenant: Tenant;
let paths: string[];
beforeAll(async () => {
  target = await startPortal();
  tenant = await aTenant(target, "fuzzed");
  const portal = (await unsafeOperations()).filter(({ method }) => method === "POST");
  // Without operations that end the session or the account, because they would end the attack.
  const mine = portal.filter(({ path }) => !/logout|hard-delete|sessions|status|delete/.test(path));
  paths = [...GATEWAY, ...mine.map(({ path }) => pathWith(path, tenant.objects))];
}, 180_000);
afterAll(() => target?.close());

const GATEWAY = [
  "/v1/chat/completions",
  "/v1/completions",
  "/v1/messages",
  "/v1/messages/count_tokens",
  "/v1/vendorb/responses",
  "/v1/embeddings",
  "/v1/rerank",
  "/v2/rerank",
  "/v1/moderations",
  "/v1/images/generations",
  "/v1/audio/speech",
  "/v1/audio/transcriptions",
  "/v1/audio/translations",
  "/v1/manage/keys",
];
const TYPES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "text/plain",
  "application/json; charset=utf-16",
  "application/xml",
  "",
];
const SEEDS = [
  '{"model":"sandbox-chat","messages":[{"role":"user","content":"Hi"}],"max_tokens":5,"stream":true}',
  '{"model":"sandbox-chat","prompt":["Hi"],"max_tokens":5,"stop":"a"}',
  '{"model":"sandbox-embed","input":["a","b"]}',
  '{"model":"sandbox-rerank","query":"a","documents":["a","b"]}',
  '{"model":"sandbox-moderation","input":[{"type":"text","text":"a"}]}',
  '{"model":"sandbox-image","prompt":"a","n":2,"size":"64x64"}',
  '{"name":"x","budget_limit":1,"metadata":{"a":"b"}}',
  "email=a%40example.com&password=several+words&name=x&role=member",
  '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nsandbox-whisper\r\n--x--\r\n',
].map((text) => Buffer.from(text));

/** A valid body with changed, removed or inserted bytes. */
const damaged = fc
  .tuple(fc.constantFrom(...SEEDS), fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { maxLength: 6 }))
  .map(([seed, edits]) =>
    edits.reduce((bytes, [where, byte, kind]) => {
      const at = where % (bytes.length + 1);
      const rest = bytes.subarray(kind === 1 ? at : Math.min(at + 1, bytes.length));
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(kind === 2 ? [] : [byte]), rest]);
    }, seed),
  );
const body = fc.oneof(
  { weight: 5, arbitrary: damaged },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.nat(40_000).map((depth) => Buffer.from("[".repeat(depth))) },
  { weight: 1, arbitrary: fc.nat(3_000).map((count) => Buffer.from("a=1&".repeat(count))) },
  { weight: 1, arbitrary: fc.nat(3_000).map((count) => Buffer.from("--x\r\n\r\n".repeat(count))) },
);

test(`${BODIES} raw bodies get an answer or a code of the catalogue (SEED=${SEED})`, async () => {
  const { browser } = tenant.people.orgAdmin;
  const admin = fc.sample(fc.boolean(), { seed: SEED, numRuns: BODIES });
  const requests = fc
    .sample(fc.record({ path: fc.constantFrom(...paths), type: fc.constantFrom(...TYPES), body }), {
      seed: SEED,
      numRuns: BODIES,
    })
    .map((request, index) => ({ ...request, admin: admin[index] as boolean }));
  let slowestMs = 0;
  const wrong = await overAll(requests, 16, async (request) => {
    const startedMs = performance.now();
    const response = await send(browser, request);
    const fault = faultIn(response.status, response.headers.get("content-type"), await response.text());
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    return (
      fault &&
      `${request.path} (${request.type}) ${JSON.stringify(request.body.toString("latin1").slice(0, 200))}: ${fault}`
    );
  });
  report({ group: "raw bodies", requests: requests.length, wrong, slowestMs });
  expect(wrong).toEqual([]);
  expect(target.gateway.process.exitCode).toBeNull();
  expect(target.gateway.output()).not.toMatch(/unexpected problem|uncaught|unhandled/i);
}, 600_000);

type Raw = { path: string; type: string; body: Buffer; admin: boolean };

function send(browser: Browser, { path, type, body, admin }: Raw): Promise<Response> {
  const { gateway } = target;
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(type === "" ? {} : { "content-type": type }),
  };
  const init = { method: "POST", headers, body: new Uint8Array(body) };
  if (!path.startsWith("/v")) return browser.fetch(path, init);
  headers.authorization = `Bearer ${admin ? gateway.adminKey : gateway.key}`;
  return fetch(`${target.url}${path}`, init);
}
