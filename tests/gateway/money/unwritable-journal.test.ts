import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatGateway, eventually, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());

const readiness = async () => {
  const response = await fetch(`${gateway.url}/health?ready`);
  return { code: response.status, body: await response.json() };
};
const PATIENCE_MS = 20_000;

test("a journal that cannot be written keeps new calls away, and says so, until it can", async () => {
  const journal = join(gateway.dataDir, "journal");
  await rename(journal, `${journal}-aside`);
  await writeFile(journal, "");
  const told = await eventually(readiness, ({ code }) => code === 503, PATIENCE_MS);
  const reason = "the settlement journal cannot be written";
  expect(told).toEqual({ code: 503, body: { status: "unavailable", database: "ok", reason } });
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  const refused = await gateway.chat();
  expect([refused.status, (await refused.json()).error.code]).toEqual([503, "billing_unavailable"]);
  await expect.poll(() => gateway.output()).toContain("no call is admitted that needs a hold");
  await rm(journal);
  await rename(`${journal}-aside`, journal);
  expect((await eventually(readiness, ({ code }) => code === 200, PATIENCE_MS)).code).toBe(200);
  expect((await gateway.chat()).status).toBe(200);
  await expectCleanBooks(gateway);
});
