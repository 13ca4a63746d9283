import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatGateway, eventually, expectCleanBooks, priceOf, startChatGateway } from "../../support/chat-gateway";

// Calls that use holds placed before they arrive.
let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

const CLIENTS = 32;
const EACH = 40;

test("each call has a hold of its own, placed before it came, and is billed and charged under that id", async () => {
  await gateway.standIn.plan({ seed: "spare", tokens: [1, 20] });
  const { key } = await gateway.createKey({ budget_limit: 100, budget_period: "monthly", rate_limit_rpm: 60_000 });
  const ids: string[] = [];
  const client = async (number: number) => {
    for (let n = 0; n < EACH; n += 1) {
      const stream = n % 3 === 0;
      const headers: Record<string, string> = n % 7 === 0 ? { "idempotency-key": randomUUID() } : {};
      const response = await gateway.chat(
        { model: "fast-chat", stream, max_tokens: 40, user: `client ${number}` },
        { key, headers },
      );
      expect(response.status).toBe(200);
      await response.text();
      ids.push(response.headers.get("x-request-id")!);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));

  expect(new Set(ids).size).toBe(CLIENTS * EACH);
  const open = () => gateway.sql("SELECT id FROM hold WHERE state IN ('reserved', 'dispatched', 'review')");
  expect(await eventually(open, (left) => left.length === 0)).toEqual([]);
  await eventually(
    () => gateway.sql("SELECT 1 FROM unposted_turn"),
    (left) => left.length === 0,
  );
  const bill = await gateway.standIn.bill();
  const charged = await gateway.sql("SELECT request_id, charged FROM usage_event");
  expect(charged.map((row) => `${row.request_id} ${row.charged}`).sort()).toEqual(
    bill.map(({ id, promptTokens, completionTokens }) => `${id} ${priceOf(promptTokens, completionTokens)}`).sort(),
  );
  expect(charged.map((row) => row.request_id).sort()).toEqual([...ids].sort());
  const [{ ahead }] = await gateway.sql(
    "SELECT count(*)::int AS ahead FROM hold h JOIN usage_event u ON u.request_id = h.id WHERE h.created_at < u.started_at",
  );
  expect(ahead).toBeGreaterThan(CLIENTS);
  // Unused spare holds do not count.
  expect(await gateway.sql("SELECT sum(used)::int AS used FROM rate_window")).toEqual([{ used: CLIENTS * EACH }]);
  await expectCleanBooks(gateway);
}, 60_000);
