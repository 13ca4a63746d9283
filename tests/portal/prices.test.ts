import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../support/portal";

const PRICES = "/dashboard/admin/prices";
const PAGE = "/dashboard/admin/models?tab=prices";
let portal: Portal;
let operator: SignedIn;
let far: Server;
let supplierId: number;
let key: string;

beforeAll(async () => {
  far = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { model } = JSON.parse(text) as { model: string };
    const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model, choices, usage }));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
  operator = await portal.signInAs("platform_admin");
  const base_url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;
  const made = await send("/dashboard/admin/providers", { name: "far", kind: "chat", base_url, api_key: "sk-far" });
  supplierId = made.body.provider_id as number;
  const created = await operator.browser.post("/dashboard/keys/new", { name: "key" }, { json: true });
  ({ key } = (await created.json()) as { key: string });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  far?.close();
});

const send = async (path: string, body: Record<string, unknown>) => {
  const response = await operator.browser.post(path, body, { json: true });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const price = (more: Record<string, unknown> = {}) =>
  send(PRICES, { supplier_id: supplierId, model: "far-model", input_per_mtok: "2", output_per_mtok: "8", ...more });
const pricesOf = (model: string) =>
  portal.sql(
    `SELECT p.input_per_mtok::text AS input, p.valid_from > now() AS later FROM price p JOIN model_route r ON r.id = p.route_id
      WHERE r.model_id = $1 ORDER BY p.id`,
    [model],
  );

/** Calls until the change has reached the gateway. What it was charged, in nano-USD. */
async function chargeOfACall(model: string): Promise<number> {
  const id = await vi.waitFor(
    async () => {
      const response = await fetch(`${portal.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello ".repeat(900) }] }),
      });
      expect(response.status).toBe(200);
      await response.text();
      return response.headers.get("x-request-id");
    },
    { timeout: 10_000, interval: 200 },
  );
  return vi.waitFor(
    async () => {
      const [row] = await portal.sql("SELECT charged::int AS charged FROM usage_event WHERE request_id = $1", [id]);
      expect(row).toBeDefined();
      return row.charged as number;
    },
    { timeout: 10_000 },
  );
}

describe("a price", () => {
  test("makes a model that can be called at once, and a change is charged from then on", async () => {
    expect((await price()).status).toBe(200);
    expect(await chargeOfACall("far-model")).toBe(1_000 * 2_000 + 200 * 8_000);
    expect((await price({ input_per_mtok: "3.000000001" })).status).toBe(200);
    await vi.waitFor(async () => expect(await chargeOfACall("far-model")).toBe(4_600_001), { timeout: 15_000 });
    const [event] = await portal.sql(
      "SELECT before, after FROM act WHERE action = 'price.update' ORDER BY id DESC LIMIT 1",
    );
    expect(event.before).toMatchObject({ input_per_mtok: "2.000000000" });
    expect(event.after).toMatchObject({ input_per_mtok: "3.000000001" });
  });

  test("that is sent again, eight times at once, is one", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => price({ model: "far-again" })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await pricesOf("far-again")).toHaveLength(1);
  });

  test("can be set for later, and is shown as such", async () => {
    await price({ model: "far-later" });
    const from = new Date(Date.now() + 86_400_000).toISOString();
    expect((await price({ model: "far-later", input_per_mtok: "9", from })).status).toBe(200);
    expect(await pricesOf("far-later")).toEqual([
      { input: "2000000000", later: false },
      { input: "9000000000", later: true },
    ]);
    expect(await chargeOfACall("far-later")).toBe(3_600_000);
    const page = await (await operator.browser.get(PAGE)).text();
    expect(page).toContain("far-later");
    expect(page).toContain("Scheduled");
  });

  test("is refused for the past, without an amount, above all measure, and for suppliers of the configuration", async () => {
    expect((await price({ from: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect((await price({ input_per_mtok: "", output_per_mtok: "" })).status).toBe(422);
    expect((await price({ input_per_mtok: "1000001" })).status).toBe(422);
    expect((await price({ input_per_mtok: "-1" })).status).toBe(422);
    expect((await price({ model: "two words" })).status).toBe(422);
    const [{ id }] = await portal.sql("SELECT id FROM supplier WHERE source = 'config' LIMIT 1");
    expect((await price({ supplier_id: id })).status).toBe(409);
    expect((await price({ supplier_id: 1_999_999_999 })).status).toBe(404);
    const member = await portal.signInAs("org_admin");
    const fields = { supplier_id: supplierId, model: randomUUID(), input_per_mtok: "1" };
    expect((await member.browser.post(PRICES, fields, { json: true })).status).toBe(403);
    expect(await pricesOf(fields.model)).toEqual([]);
  });

  test("is set by the form of the page, which keeps what was typed when it is wrong", async () => {
    const fields = { supplier_id: String(supplierId), model: "far-form", capability: "chat" };
    const page = await (await operator.browser.get(PAGE)).text();
    expect(page).toContain(`name="supplier_id"`);
    const wrong = await operator.browser.post(PRICES, { ...fields, input_per_mtok: "much" });
    const again = await operator.browser.get(wrong.headers.get("location") ?? PAGE);
    expect(wrong.status === 303 ? await again.text() : await wrong.text()).toContain("far-form");
    expect((await operator.browser.post(PRICES, { ...fields, input_per_mtok: "1,5" })).status).toBe(303);
    expect(await pricesOf("far-form")).toEqual([{ input: "1500000000", later: false }]);
  });
});

describe("the order in which a model's suppliers are tried", () => {
  const wayOf = async (model: string, supplier = supplierId): Promise<number> => {
    const [{ id }] = await portal.sql(
      "SELECT id FROM model_route WHERE model_id = $1 AND supplier_id = $2 AND active",
      [model, supplier],
    );
    return id as number;
  };
  const order = (way: number, body: Record<string, unknown>) => send(`${PRICES}/${way}/order`, body);
  const stored = async (way: number) => {
    const [row] = await portal.sql("SELECT priority, weight FROM model_route WHERE id = $1", [way]);
    return [row.priority, row.weight];
  };

  test("is changed in the row of a price, and the next request goes by it", async () => {
    await price({ model: "far-order" });
    const base_url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;
    const made = await send("/dashboard/admin/providers", { name: "nearer", kind: "chat", base_url });
    const nearer = made.body.provider_id as number;
    await price({ model: "far-order", supplier_id: nearer, input_per_mtok: "1", output_per_mtok: "1" });
    const way = await wayOf("far-order", nearer);
    expect((await order(await wayOf("far-order"), { priority: "5", weight: 1 })).status).toBe(200);
    await vi.waitFor(async () => expect(await chargeOfACall("far-order")).toBe(1_200_000), { timeout: 15_000 });
    expect((await order(way, { priority: 9, weight: "30" })).status).toBe(200);
    await vi.waitFor(async () => expect(await chargeOfACall("far-order")).toBe(3_600_000), { timeout: 15_000 });
    expect(await stored(way)).toEqual([9, 30]);
    const page = await (await operator.browser.get(PAGE)).text();
    expect(page).toContain(`${PRICES}/${way}/order`);
    expect(page).toContain('aria-label="Priority of far-order at nearer"');
  });

  test("has one line in the audit log for each change, and none for the same order again", async () => {
    await price({ model: "far-twice" });
    const way = await wayOf("far-twice");
    const body = { priority: 2, weight: 3 };
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(way, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const acts = await portal.sql(
      "SELECT before, after FROM act WHERE action = 'price.order' AND target_id = $1 ORDER BY id",
      [String(way)],
    );
    expect(acts).toEqual([{ before: { priority: 1, weight: 1 }, after: body }]);
  });

  test("is refused for suppliers of the configuration, for nobody's, out of bounds, and below platform admins", async () => {
    const way = await wayOf("far-twice");
    const [{ id: configured }] = await portal.sql(
      "SELECT r.id FROM model_route r JOIN supplier s ON s.id = r.supplier_id WHERE s.source = 'config' LIMIT 1",
    );
    expect((await order(configured as number, { priority: 2, weight: 2 })).status).toBe(409);
    expect((await order(1_999_999_999, { priority: 2, weight: 2 })).status).toBe(404);
    for (const wrong of [
      { priority: -1 },
      { priority: 1_001 },
      { weight: 1_000_001 },
      { weight: "1.5" },
      { weight: "" },
    ])
      expect((await order(way, { priority: 7, weight: 7, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
    const admin = await portal.signInAs("org_admin");
    const path = `${PRICES}/${way}/order`;
    expect((await admin.browser.post(path, { priority: 7, weight: 7 }, { json: true })).status).toBe(403);
    expect(await stored(way)).toEqual([2, 3]);
  });
});
