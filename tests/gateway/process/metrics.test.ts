import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../support/gateway";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
let address: string;
let key: string;

beforeAll(async () => {
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  portal = await startPortal({ env: { GW_METRICS_PORT: String(port) } });
  const { browser } = await portal.signInAs("member", { name: "CANARY-person" });
  const created = await browser.post("/dashboard/keys/new", { name: "CANARY-key" }, { json: true });
  ({ key } = (await created.json()) as { key: string });
}, 120_000);
afterAll(() => portal?.close());

const call = (body: Record<string, unknown>, path = "chat/completions") =>
  fetch(`${portal.url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Returns the samples of an answer in Prometheus' text format, by name and labels. */
async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(`${address}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

describe("GET /metrics", () => {
  test("counts requests by endpoint, status and code, their suppliers, tokens and charge", async () => {
    const messages = [{ role: "user", content: "Hello" }];
    for (let each = 0; each < 3; each += 1) await (await call({ model: "sandbox-chat", messages })).text();
    await (await call({ model: "sandbox-chat", messages, stream: true })).text();
    expect((await call({ model: "CANARY-model", messages })).status).toBe(404);
    expect((await call({ model: "CANARY-model", messages }, "messages/count_tokens")).status).toBe(404);
    await expect
      .poll(async () => (await portal.sql("SELECT count(*)::int AS n FROM usage_event"))[0].n, { timeout: 10_000 })
      .toBe(4);
    const found = await scrape();
    const endpoint = `endpoint="chat/completions"`;
    expect(found.get(`gw_requests_total{${endpoint},status="200",code=""}`)).toBe(4);
    expect(found.get(`gw_requests_total{${endpoint},status="404",code="model_not_found"}`)).toBe(1);
    const count = `endpoint="messages/count_tokens",status="404",code="model_not_found"`;
    expect(found.get(`gw_requests_total{${count}}`)).toBe(1);
    expect(found.get(`gw_request_duration_seconds_count{${endpoint}}`)).toBe(5);
    expect(found.get(`gw_supplier_attempts_total{supplier="sandbox",region="global",outcome="delivered"}`)).toBe(4);
    const [used] = await portal.sql(
      "SELECT sum(input_tokens)::int AS input, sum(output_tokens)::int AS output, sum(charged)::bigint AS charged FROM usage_event",
    );
    expect(found.get(`gw_tokens_total{${endpoint},direction="input"}`)).toBe(used.input);
    expect(found.get(`gw_tokens_total{${endpoint},direction="output"}`)).toBe(used.output);
    expect(found.get(`gw_charged_usd_total{${endpoint}}`)).toBeCloseTo(Number(used.charged) / 1e9, 9);
  });

  test("says how accounting, the pools and the process are", async () => {
    const found = await scrape();
    const turns = [...found].filter(([name]) => /^gw_accounting_turns_total\{.*result="committed"/.test(name));
    expect(turns.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(3);
    expect(found.get("gw_requests_in_flight")).toBe(0);
    expect(found.get("gw_holds_open")).toBe(0);
    expect(found.get("gw_admission_open")).toBe(1);
    expect(found.get("gw_posting_lag_seconds")).toBe(0);
    expect(found.get(`gw_journal_bytes{state="waiting"}`)).toBe(0);
    expect(found.has(`gw_database_connections{state="idle"}`)).toBe(true);
    expect(found.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
    expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  });

  test("tells nothing of who called or what for", async () => {
    const text = await (await fetch(`${address}/metrics`)).text();
    expect(text).not.toContain("CANARY");
    expect(text).not.toContain(key.slice(0, 8));
  });

  test("is alone on its port, and not on the other", async () => {
    expect((await fetch(`${address}/v1/models`)).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { method: "POST", body: "x".repeat(100_000) })).status).toBe(405);
    expect((await fetch(`${portal.url}/metrics`)).status).toBe(404);
  });
});

test("the dashboard and the alerts ask for what is counted", async () => {
  const counted = new Set([...(await scrape()).keys()].map((name) => name.replace(/\{.*$/, "")));
  for (const file of ["docs/observability/dashboard.json", "docs/observability/alerts.yml"]) {
    const asked = new Set(readFileSync(file, "utf8").match(/\b(?:gw|nodejs|process)_[a-z0-9_]+/g));
    expect(asked.size).toBeGreaterThan(3);
    expect(
      [...asked].filter((name) => !counted.has(name)),
      file,
    ).toEqual([]);
  }
});
