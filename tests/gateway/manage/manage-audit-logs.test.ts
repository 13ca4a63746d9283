import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
let first: { id: string; key: string };
let second: { id: string; key: string };

beforeAll(async () => {
  gateway = await startGateway();
  first = await gateway.createKey({ name: "first" });
  second = await gateway.createKey({ name: "second", budget_limit: 10 });
  for (const key of [first.key, first.key, second.key]) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-session-id": "=HYPERLINK(1)" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }], max_tokens: 20 }),
    });
    expect(response.status).toBe(200);
    await response.text();
  }
});
afterAll(() => gateway?.close());

const audit = async (query = "", headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway.url}/v1/manage/audit-logs${query}`, {
    headers: { authorization: `Bearer ${gateway.adminKey}`, ...headers },
  });
  expect(response.status).toBe(200);
  return response;
};
const entriesOf = async (query = "") => (await (await audit(query)).json()).data;

test("every call is there, newest first, with what it used and cost", async () => {
  const entries = await entriesOf();
  expect(entries.map(({ key_id }: { key_id: string }) => key_id)).toEqual([second.id, first.id, first.id]);
  expect(Object.keys(entries[0]).slice(0, 9)).toEqual([
    "timestamp",
    "key_id",
    "model",
    "supplier",
    "region",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "latency_ms",
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      model: "sandbox-chat",
      supplier: expect.any(String),
      region: expect.any(String),
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
      cost_usd: expect.any(Number),
      latency_ms: expect.any(Number),
    });
    expect(new Date(entry.timestamp).toISOString()).toBe(entry.timestamp);
  }
});

test("filters and pages", async () => {
  expect(await entriesOf(`?key_id=${first.id}`)).toHaveLength(2);
  expect(await entriesOf("?key_id=key_missing")).toEqual([]);
  expect(await entriesOf("?model=other")).toEqual([]);
  expect(await entriesOf("?since=2999-01-01")).toEqual([]);
  expect(await entriesOf("?since=2000-01-01T00:00:00Z&until=2999-01-01")).toHaveLength(3);
  const page = await (await audit("?limit=2")).json();
  const rest = await (await audit(`?limit=2&cursor=${page.next_cursor}`)).json();
  expect([page.data.length, rest.data.length, rest.next_cursor]).toEqual([2, 1, null]);
  expect(new Set([...page.data, ...rest.data].map(({ request_id }) => request_id)).size).toBe(3);
});

test("calls of another organisation are not there", async () => {
  const [other] = await gateway.sql("INSERT INTO organisation (name, slug) VALUES ('Other', 'other') RETURNING id");
  const { id, key } = await gateway.createKey({ kind: "admin" });
  await gateway.sql("UPDATE api_key SET organisation_id = $1 WHERE public_id = $2", [other.id, id]);
  const foreign = await audit("", { authorization: `Bearer ${key}` });
  expect(await foreign.json()).toEqual({ data: [], next_cursor: null });
});

test("the file has the same fields, and nothing in it runs as a formula", async () => {
  const response = await audit("", { accept: "text/csv" });
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^timestamp,key_id,model,supplier,region,input_tokens,output_tokens,cost_usd,latency_ms,/);
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain("'=HYPERLINK(1)");
});
