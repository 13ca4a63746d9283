import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ChatGateway,
  catalogueFor,
  expectCleanBooks,
  INPUT_PRICE,
  OUTPUT_PRICE,
  priceOf,
  startChatGateway,
} from "../../support/chat-gateway";
import { freshDatabase, type TestDatabase } from "../../support/database";
import { freePort, type Gateway, startGateway } from "../../support/gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";

const REQUESTS = 1_000;
const BUDGET_USD = 0.05;
const BUDGET = 50_000_000n;
const MAX_TOKENS = 100;

describe.runIf(process.env.TEST_DATABASE_URL)(
  "1,000 requests at once on a budget of $0.05, two processes, one PostgreSQL",
  () => {
    let database: TestDatabase;
    let standIn: StandIn;
    let first: ChatGateway;
    let second: Gateway;
    beforeAll(async () => {
      database = await freshDatabase();
      standIn = await startStandIn();
      const config = catalogueFor(standIn.url, await freePort());
      first = await startChatGateway({ config, database, standIn });
      second = await startGateway({ config, database, adminKey: first.adminKey });
    });
    afterAll(async () => {
      await second?.close();
      await first?.close();
      await standIn?.close();
      await database?.close();
    });

    test("spend no nano-dollar more, by the supplier's own bill, and use it up", async () => {
      await standIn.plan({ seed: "budget", tokens: [1, MAX_TOKENS], delayMs: [0, 60] });
      const { key, id } = await first.createKey({ budget_limit: BUDGET_USD, budget_period: "monthly" });
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, async (_, index) => {
          const stream = index % 3 === 0;
          const response = await fetch(`${index % 2 === 0 ? first.url : second.url}/v1/chat/completions`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body: JSON.stringify({
              model: "fast-chat",
              stream,
              max_tokens: MAX_TOKENS,
              messages: [{ role: "user", content: `Question ${index} of many` }],
            }),
          });
          const text = await response.text();
          if (response.status === 200 && stream) expect(text).toContain("data: [DONE]");
          return { status: response.status, text, id: response.headers.get("x-request-id")! };
        }),
      );
      const served = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { status, text } of refused) {
        expect(status).toBe(429);
        expect(text).toContain("budget_exceeded");
      }

      const bill = await standIn.bill();
      expect(new Set(bill.map((entry) => entry.id))).toEqual(new Set(served.map((answer) => answer.id)));
      expect(bill).toHaveLength(served.length);
      const billed = bill.reduce((sum, entry) => sum + priceOf(entry.promptTokens, entry.completionTokens), 0n);
      expect(billed).toBeLessThanOrEqual(BUDGET);

      const rows = await first.sql(
        "SELECT count(*)::int AS n, sum(charged)::text AS charged FROM usage_event WHERE outcome = 'complete'",
      );
      expect(rows[0].n).toBe(served.length);
      expect(BigInt(rows[0].charged)).toBe(billed);

      // At least 95 % of the calls that the budget allows; the rest of the budget would pay for `missed` more.
      const mean = billed / BigInt(served.length);
      const missed = Number((BUDGET - billed) / mean);
      const share = served.length / (served.length + missed);
      process.stdout.write(
        `served ${served.length} of ${REQUESTS}, spent $${Number(billed) / 1e9}, ${(share * 100).toFixed(1)} % of what fits\n`,
      );
      expect(share).toBeGreaterThanOrEqual(0.95);

      const read = await fetch(`${second.url}/v1/manage/keys/${id}`, {
        headers: { authorization: `Bearer ${first.adminKey}` },
      });
      const { budget_used } = (await read.json()) as { budget_used: number };
      expect(Math.round(budget_used * 1e9)).toBe(Number(billed));
      const open = await first.sql("SELECT count(*)::int AS n FROM hold WHERE state NOT IN ('settled', 'released')");
      expect(open[0].n).toBe(0);
      await expectCleanBooks(first);
    });

    test("a rate limit is exact across both processes", async () => {
      const { key } = await first.createKey({ rate_limit_rpm: 40 });
      const statuses = await Promise.all(
        Array.from({ length: 160 }, async (_, index) => {
          const response = await fetch(`${index % 2 === 0 ? first.url : second.url}/v1/chat/completions`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}` },
            body: JSON.stringify({ model: "fast-chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 5 }),
          });
          await response.text();
          return response.status;
        }),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(40);
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
    });

    test("a key that one process revokes is refused by the other within a second", async () => {
      const { key, id } = await first.createKey();
      const onSecond = () =>
        fetch(`${second.url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: "fast-chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 5 }),
        });
      expect((await onSecond()).status).toBe(200);
      await fetch(`${first.url}/v1/manage/keys/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${first.adminKey}` },
      });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect((await onSecond()).status).toBe(401);
    });
  },
);

describe("a budget on one process", () => {
  let gateway: ChatGateway;
  beforeAll(async () => {
    gateway = await startChatGateway();
  });
  afterAll(() => gateway?.close());

  test("is spent to the last request that fits, and holds count against it", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.002, budget_period: "daily" });
    await gateway.standIn.plan({ seed: "one", tokens: [50, 50], delayMs: [20, 40] });
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await gateway.chat({}, { key });
        await response.text();
        return response.status;
      }),
    );
    const spent = await gateway.sql(
      "SELECT coalesce(sum(charged), 0)::text AS spent FROM usage_event u JOIN api_key k ON k.id = u.key_id WHERE k.secret_last4 = $1",
      [key.slice(-4)],
    );
    const maximum = 2_000_000n;
    expect(BigInt(spent[0].spent)).toBeLessThanOrEqual(maximum);
    expect(BigInt(spent[0].spent)).toBeGreaterThan(maximum - 2n * (INPUT_PRICE * 300n + OUTPUT_PRICE * 50n));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await expectCleanBooks(gateway);
  });
});
