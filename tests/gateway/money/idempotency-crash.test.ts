import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eventually, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";
import { freshDatabase } from "../../support/database";
import { startStandIn } from "../../support/stand-in-supplier";

test("a process that dies between hold and answer leaves a key that is told, looked up, and used again", async () => {
  const database = await freshDatabase();
  // The embedded database ends with its process.
  if (database.embedded) return database.close();
  const standIn = await startStandIn();
  const first = await startChatGateway({ database, standIn, env: { GW_HOLD_LEASE_SECONDS: "2" } });
  const key = randomUUID();
  const call = (gateway: typeof first) =>
    gateway.chat({ user: "tokens=4;delay=1500" }, { key: first.budgetKey, headers: { "idempotency-key": key } });
  const cut = call(first).catch(() => null);
  await eventually(
    () => first.sql("SELECT 1 FROM hold WHERE state = 'dispatched'"),
    (rows) => rows.length > 0,
  );
  await first.kill("SIGKILL");
  await cut;

  const second = await startChatGateway({
    database,
    standIn,
    dataDir: first.dataDir,
    adminKey: first.adminKey,
    env: { GW_HOLD_LEASE_SECONDS: "2" },
  });
  const atOnce = await call(second);
  expect(atOnce.status).toBe(409);
  expect(Number(atOnce.headers.get("retry-after"))).toBeGreaterThan(0);
  const [hold] = await eventually(
    () => second.sql("SELECT id::text, state FROM hold WHERE state = 'review'"),
    (rows) => rows.length > 0,
    15_000,
  );
  const waiting = await call(second);
  expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([409, "60"]);
  // An operator learns that the supplier did no work.
  await second.sql("SELECT accounting_release(ARRAY[$1::uuid], '{review}', 'looked up: not executed')", [hold.id]);
  const again = await call(second);
  expect(again.status).toBe(200);
  const body = await again.text();
  const replay = await call(second);
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect(await replay.text()).toBe(body);
  await expectCleanBooks(second);
  await second.close();
  await first.close();
  await standIn.close();
  await database.close();
});
