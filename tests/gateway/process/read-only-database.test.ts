import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatGateway, eventually, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());

/** Switches the database as an operator does, or a provider on a full disk. Open connections keep their old setting. */
async function setReadOnly(value: "on" | "off"): Promise<void> {
  if (process.env.TEST_DATABASE_URL === undefined) {
    await gateway.sql(`SET default_transaction_read_only = ${value}`);
    return;
  }
  const [{ name }] = await gateway.sql("SELECT current_database() AS name");
  await gateway.sql(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  if (value === "off") return;
  await gateway.sql(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

const readiness = async () => {
  const response = await fetch(`${gateway.url}/health?ready`);
  const { database } = (await response.json()) as { database?: string };
  return { status: response.status, database };
};

test("a database that only reads refuses calls with codes of the catalogue, and is used again when it writes", async () => {
  expect((await gateway.chat()).status).toBe(200);
  await setReadOnly("on");
  expect(await eventually(readiness, ({ database }) => database === "read_only")).toEqual({
    status: 503,
    database: "read_only",
  });
  const worked = (await gateway.standIn.bill()).length;
  const plain = await gateway.chat();
  expect([plain.status, (await plain.json()).error.code]).toEqual([503, "billing_unavailable"]);
  const claiming = await gateway.chat({}, { headers: { "idempotency-key": "read-only" } });
  expect([claiming.status, (await claiming.json()).error.code]).toEqual([503, "service_unavailable"]);
  expect(await gateway.standIn.bill()).toHaveLength(worked);
  await setReadOnly("off");
  const again = await eventually(
    () => gateway.chat({}, { headers: { "idempotency-key": "read-only" } }),
    ({ status }) => status === 200,
  );
  expect(again.status).toBe(200);
  expect(await eventually(readiness, ({ status }) => status === 200)).toEqual({ status: 200, database: "ok" });
  await expectCleanBooks(gateway);
}, 60_000);
