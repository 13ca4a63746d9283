import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatGateway, eventually, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

async function told(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; human_message: string } };
  return {
    status: response.status,
    code: error.code,
    retryAfter: response.headers.get("retry-after"),
    human: error.human_message,
  };
}

/** Reads a key's rejections from the database, which are written within a second. */
const remembered = (key: string) =>
  eventually(
    () =>
      gateway.sql(
        `SELECT r.code, r.status, r.retry_after_seconds, r.model FROM gateway_refusal r JOIN api_key k ON k.id = r.key_id
          WHERE k.secret_last4 = $1 ORDER BY r.id`,
        [key.slice(-4)],
      ),
    (rows) => rows.length > 0,
  );

test("the rate of a key: 429, and a retry at Retry-After succeeds", async () => {
  const { key } = await gateway.createKey({ rate_limit_rpm: 2 });
  expect((await gateway.chat({}, { key })).status).toBe(200);
  expect((await gateway.chat({}, { key })).status).toBe(200);
  const refused = await told(await gateway.chat({}, { key }));
  expect(refused).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  expect(refused.retryAfter).toMatch(/^[1-9]\d?$/);
  expect(await remembered(key)).toEqual([
    { code: "rate_limit_exceeded", status: 429, retry_after_seconds: Number(refused.retryAfter), model: "fast-chat" },
  ]);
});

test.each(["daily", "monthly", "rolling"])("the %s budget of a key: 429 until it begins anew", async (period) => {
  const { key } = await gateway.createKey({ budget_limit: 0.00001, budget_period: period });
  const refused = await told(await gateway.chat({}, { key }));
  expect(refused).toMatchObject({ status: 429, code: "budget_exceeded" });
  expect(refused.retryAfter).toMatch(/^[1-9]\d*$/);
  expect(Number(refused.retryAfter)).toBeLessThanOrEqual(31 * 86_400);
  expect(refused.human).toContain("budget");
});

test("the wallet of a payer: 403, and no waiting helps", async () => {
  const { key } = await gateway.createKey();
  await gateway.sql("SELECT wallet_mark_exempt(id, false, 'test') FROM ledger_account WHERE kind = 'wallet'");
  const refused = await told(await gateway.chat({}, { key }));
  await gateway.sql("SELECT wallet_mark_exempt(id, true, 'test') FROM ledger_account WHERE kind = 'wallet'");
  expect(refused).toMatchObject({ status: 403, code: "billing_limit_reached", retryAfter: null });
  expect(await remembered(key)).toMatchObject([{ code: "billing_limit_reached", retry_after_seconds: null }]);
});

test("refusals of a key that hammers are remembered in part, and only its own", async () => {
  const { key } = await gateway.createKey({ rate_limit_rpm: 1 });
  await Promise.all(Array.from({ length: 100 }, () => gateway.chat({}, { key }).then((response) => response.text())));
  const rows = await remembered(key);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThanOrEqual(60);
  const other = await gateway.createKey();
  expect((await gateway.chat({ model: "no-such" }, { key: other.key })).status).toBe(404);
  expect(await remembered(other.key)).toMatchObject([{ code: "model_not_found", model: "no-such" }]);
});
