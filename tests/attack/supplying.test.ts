import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BODIES } from "../portal/manage/bodies";
import { type Portal, type SignedIn, startPortal } from "../support/portal";
import { pathWith, queriedOperations, type UnsafeOperation, unsafeOperations } from "./operations";
import { tell } from "./raw-socket";
import { faultIn, overAll, report } from "./target";

const PROVIDERS = "/dashboard/admin/providers";
const PRICES = "/dashboard/admin/prices";
/** Matches operations on suppliers, models, prices and credentials, and the playground. */
const AREA = /^\/dashboard\/(admin\/(providers|prices|models|api)|playground)/;
/** Matches the pages on which an owner reads these and usage. */
const READ = /^\/(api|dashboard\/(admin\/(prices|models|api)|usage|request-log|models|playground|search))(\/|$)/;

let portal: Portal;
let owner: SignedIn;
let operations: UnsafeOperation[];
let far: Server;
const objects: Record<string, string> = {};

beforeAll(async () => {
  far = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ id: "gpt-4.1" }, { id: "gpt-4.1-mini" }] }));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
  owner = await portal.signInAs("owner");
  operations = (await unsafeOperations()).filter(({ path }) => AREA.test(path));
  objects.provider_id = String(await aSupplier("openai"));
  await send(PRICES, { supplier_id: objects.provider_id, model: "house", input_per_mtok: "2", output_per_mtok: "8" });
  const [route] = await portal.sql("SELECT id FROM model_route WHERE model_id = 'house'");
  objects.route_id = String(route.id);
}, 180_000);
afterAll(async () => {
  await portal?.close();
  far?.close();
});

async function send(path: string, body: object) {
  const response = await owner.browser.post(path, body, { json: true });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
async function aSupplier(name: string): Promise<number> {
  const base_url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;
  const { status, body } = await send(PROVIDERS, { name, kind: "chat", base_url, api_key: "sk-far" });
  expect(status).toBe(200);
  return body.provider_id as number;
}
/** Returns all data that these operations could change, except tests of their own suppliers in the audit log. */
async function books(): Promise<string> {
  const [row] = await portal.sql(
    `SELECT md5(concat((SELECT string_agg(s::text, '|' ORDER BY id) FROM supplier s),
            (SELECT string_agg(r::text, '|' ORDER BY id) FROM model_route r),
            (SELECT string_agg(p::text, '|' ORDER BY id) FROM price p),
            (SELECT string_agg(m::text, '|' ORDER BY id) FROM model m),
            (SELECT count(*)::text FROM supplier_credential))) AS books`,
  );
  return row.books as string;
}

/** Values that are invalid for every field. */
const NONSENSE: Readonly<Record<string, unknown>> = {
  "a million characters": "x".repeat(1_000_000),
  "a hundred thousand digits": "9".repeat(100_000),
  "a NUL": "a\0b",
  "half a character": "\ud800",
  "a list": ["a", "b"],
  "an object": { in: { in: 1 } },
  "a huge number": 1e308,
  "a negative": "-1",
};

test("no field of any operation takes what is oversized or malformed, and none fails over it", async () => {
  const tries = operations.flatMap((operation) =>
    operation.fields.flatMap((field) =>
      Object.entries(NONSENSE).map(([kind, value]) => ({ operation, field, kind, value })),
    ),
  );
  expect(tries.length).toBeGreaterThan(400);
  const wrong = await overAll(tries, 4, async ({ operation: { path, method, name }, field, kind, value }) => {
    const body = { ...BODIES[name], [field]: value };
    const response = await owner.browser.post(pathWith(path, objects), body, { json: true, method });
    const fault = faultIn(response.status, response.headers.get("content-type"), await response.text());
    if (fault !== null) return `${name} ${field}, ${kind}: ${fault}`;
    // Only a price file may be this long.
    const isLong =
      typeof value === "string" && value.length >= 100_000 && !(field === "text" && value.length <= 500_000);
    return isLong && response.status < 400 ? `${name} ${field}, ${kind}: ${response.status}` : null;
  });
  report({ group: "nonsense in the fields of suppliers and prices", requests: tries.length, wrong });
  expect(wrong).toEqual([]);
}, 240_000);

test("no field of a query fails over what is oversized or malformed", async () => {
  const tries = (await queriedOperations())
    .filter(({ path }) => READ.test(path))
    .flatMap(({ path, name, fields }) =>
      fields.flatMap((field) =>
        ["x".repeat(10_000), "9".repeat(300), "%00", "%ED%A0%80", "-1", "1e999", "%FF"].map((value) => ({
          path,
          name,
          field,
          value,
        })),
      ),
    );
  expect(tries.length).toBeGreaterThan(200);
  const wrong = await overAll(tries, 4, async ({ path, name, field, value }) => {
    const response = await owner.browser.getJson(`${pathWith(path, objects)}?${field}=${value}`);
    const fault = faultIn(response.status, response.headers.get("content-type"), await response.text());
    return fault === null ? null : `${name} ${field}=${value.slice(0, 20)}: ${fault}`;
  });
  report({ group: "nonsense in queries of usage, models and logs", requests: tries.length, wrong });
  expect(wrong).toEqual([]);
}, 240_000);

const csv = (lines: readonly string[]) => ["supplier,model,input_per_mtok,output_per_mtok", ...lines].join("\n");

test("a price file of ten thousand lines is refused at once, and nothing is set", async () => {
  const before = await books();
  const text = csv(Array.from({ length: 10_000 }, () => "openai,house,3,8"));
  const startedMs = performance.now();
  const preview = await send(`${PRICES}/import`, { act: "preview", text });
  expect(preview).toMatchObject({ status: 200, body: { problem: { code: "tooLong" }, plan: null } });
  expect((await send(`${PRICES}/import`, { act: "apply", text, fingerprint: "0".repeat(64) })).status).toBe(409);
  expect(performance.now() - startedMs).toBeLessThan(4_000);
  expect(await books()).toBe(before);
});

/** Actions that are sent eight times at once, with the audit action that must be recorded once. */
const ONCE: Readonly<Record<string, () => Promise<{ path: string; body: object; action: string }>>> = {
  "a drain": async () => ({
    path: `${PROVIDERS}/${await aSupplier("drained")}/update`,
    body: { draining: "true" },
    action: "supplier.update",
  }),
  "a header": async () => ({
    path: `${PROVIDERS}/${await aSupplier("headed")}/extras`,
    body: { act: "set", in: "header", name: "x-team", value: "platform" },
    action: "supplier.update",
  }),
  "a deletion": async () => ({
    path: `${PROVIDERS}/${await aSupplier("gone")}/delete`,
    body: { confirm: "gone" },
    action: "supplier.delete",
  }),
  "an order": async () => ({
    path: `${PRICES}/${objects.route_id}/order`,
    body: { priority: "7", weight: "3" },
    action: "route.order",
  }),
  "a price file": async () => {
    const text = csv(["openai,house,5,9"]);
    const { body } = await send(`${PRICES}/import`, { act: "preview", text });
    const { fingerprint } = body.plan as { fingerprint: string };
    return { path: `${PRICES}/import`, body: { act: "apply", text, fingerprint }, action: "price.import" };
  },
};

test.each(Object.keys(ONCE))(
  "%s that is sent eight times at once happens once",
  async (kind) => {
    const { path, body } = await (ONCE[kind] as (typeof ONCE)[string])();
    const [{ last }] = await portal.sql("SELECT max(id) AS last FROM act");
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(path, body)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    const acts = await portal.sql("SELECT action, target_id FROM act WHERE id > $1", [last]);
    expect(acts).toHaveLength(1);
  },
  60_000,
);

test("models that are imported eight times at once have one price each", async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send(`${PROVIDERS}/${objects.provider_id}/models`, {})),
  );
  // Few concurrent requests to a supplier are allowed; the others get 429 or 503.
  expect(answers.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  const prices = await portal.sql(
    "SELECT r.model_id, count(*)::int AS n FROM price p JOIN model_route r ON r.id = p.route_id WHERE r.model_id LIKE 'gpt-4.1%' GROUP BY 1 ORDER BY 1",
  );
  expect(prices).toEqual([
    { model_id: "gpt-4.1", n: 1 },
    { model_id: "gpt-4.1-mini", n: 1 },
  ]);
});

test("a body that ends half-way changes nothing", async () => {
  const before = await books();
  const cookie = [...owner.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const wrong = await overAll(operations, 4, async ({ path, method, name }) => {
    const half = JSON.stringify({ ...BODIES[name], draining: "true", name: "half" });
    const bytes =
      `${method} ${pathWith(path, objects)} HTTP/1.1\r\nHost: ${new URL(portal.url).host}\r\nCookie: ${cookie}\r\n` +
      `Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: ${half.length + 100}\r\n\r\n${half}`;
    const { text } = await tell(portal.url, bytes, 300);
    return /^HTTP\/1\.1 (?:2|5)/.test(text) ? `${name}: ${text.slice(0, 60)}` : null;
  });
  report({ group: "bodies that end half-way", requests: operations.length, wrong });
  expect(wrong).toEqual([]);
  expect(await books()).toBe(before);
  expect((await owner.browser.get("/dashboard/admin/models")).status).toBe(200);
}, 60_000);
