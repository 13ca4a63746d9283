import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { setBudget } from "~/domain/accounting/index.server";
import { type BillingBench, openBilling } from "../../../tests/support/billing";
import type { Actor } from "../accounts/shared";
import {
  changeAlertSettings,
  deliverAlerts,
  evaluateBudgets,
  readAlertHistory,
  readWebhook,
  removeWebhook,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
} from "./index.server";

type Received = { headers: IncomingHttpHeaders; body: string };
const SECRET = { GW_SECRET: "a secret for tests that is long enough" };
const SETTINGS = { ...SECRET, GW_ALLOW_PRIVATE_WEBHOOKS: "true" };
let bench: BillingBench;
let receiver: Server;
let url: string;
let received: Received[] = [];
let answer: (request: Received) => { status: number; headers?: Record<string, string>; body?: string };
const disabled: number[] = [];
const mail = {
  alert: async () => undefined,
  webhookDisabled: async (_tx: unknown, { userId }: { userId: number }) => void disabled.push(userId),
};

beforeAll(async () => {
  bench = await openBilling(SETTINGS);
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const told = { headers: request.headers, body };
      received.push(told);
      const { status, headers, body: text } = answer(told);
      response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
}, 120_000);
afterEach(() => {
  received = [];
  setConfig(readConfig(SETTINGS));
});
afterAll(async () => {
  receiver?.close();
  await bench?.close();
});

/** A person with alerts, a webhook and an organisation whose person budget has just passed 50 %. */
async function aPersonOverHalf(): Promise<{ actor: Actor; secret: string }> {
  const actor = await bench.anAdmin("member");
  await changeAlertSettings(db(), actor, { active: true });
  const secret = (await saveWebhook(db(), actor, url)) as string;
  const scope = { kind: "user" as const, id: actor.userId, organisationId: actor.organisationId };
  await setBudget(db(), scope, { limitNanoUsd: 75_000n, period: "monthly" });
  await bench.sql(
    `INSERT INTO budget_counter (budget_id, period_start, organisation_id, spent)
       SELECT id, budget_period_start(period, app_now()), organisation_id, 37500 FROM budget WHERE scope_kind = 'user' AND scope_id = $1`,
    [actor.userId],
  );
  await evaluateBudgets(db());
  return { actor, secret };
}

const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const dueNow = () => bench.sql("UPDATE alert_delivery SET next_attempt_at = app_now() WHERE state = 'pending'");
const webhookRow = async (actor: Actor) =>
  (await readAlertHistory(db(), actor, { limit: 100 })).deliveries.find(({ channel }) => channel === "webhook");

test("an alert is signed as the library of Standard Webhooks verifies it, with exact amounts, and repeated under the same id", async () => {
  const { actor, secret } = await aPersonOverHalf();
  answer = () => ({ status: received.length === 1 ? 500 : 204 });
  await deliverAlerts(db(), mail);
  expect(await webhookRow(actor)).toMatchObject({ state: "pending", attempts: 1, error: "the receiver answered 500" });
  await dueNow();
  await deliverAlerts(db(), mail);
  expect(received).toHaveLength(2);
  for (const each of received) {
    expect(new Webhook(secret).verify(each.body, headersOf(each))).toMatchObject({
      type: "budget.threshold",
      data: { threshold_percent: 50, spent: "0.000037500", available: "0.000037500", limit: "0.000075000" },
    });
  }
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await webhookRow(actor)).toMatchObject({ state: "sent", attempts: 2, error: null });
});

test("of many that deliver at once one sends; whoever dies while sending leaves it to be repeated under the same id", async () => {
  const { actor } = await aPersonOverHalf();
  answer = () => ({ status: 200 });
  await Promise.all(Array.from({ length: 6 }, () => deliverAlerts(db(), mail)));
  expect(received).toHaveLength(1);
  // As a process leaves it that was killed between sending and writing it down, when its lease is over.
  await bench.sql(
    "UPDATE alert_delivery SET state = 'pending', sent_at = NULL, next_attempt_at = app_now() WHERE user_id = $1",
    [actor.userId],
  );
  await deliverAlerts(db(), mail);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(received).toHaveLength(2);
});

test("a rotated secret signs from then on, and the one before too for a day", async () => {
  const actor = await bench.anAdmin("member");
  const before = (await saveWebhook(db(), actor, url)) as string;
  expect(await saveWebhook(db(), actor, url)).toBeNull();
  const after = await rotateWebhookSecret(db(), actor);
  answer = () => ({ status: 200 });
  expect(await testWebhook(db(), actor)).toEqual({ status: 200, error: null });
  await expect(testWebhook(db(), actor)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  const [first] = received as [Received];
  for (const secret of [before, after])
    expect(new Webhook(secret).verify(first.body, headersOf(first))).toMatchObject({ type: "test" });
  await bench.sql("UPDATE alert_webhook SET previous_until = app_now(), tested_at = NULL WHERE user_id = $1", [
    actor.userId,
  ]);
  await testWebhook(db(), actor);
  const last = received.at(-1) as Received;
  expect(() => new Webhook(before).verify(last.body, headersOf(last))).toThrow();
  expect(JSON.stringify(await bench.sql("SELECT * FROM alert_webhook"))).not.toContain(after.slice(6));
});

test("redirects are not followed, and an answer without end is cut off", async () => {
  const actor = await bench.anAdmin("member");
  await saveWebhook(db(), actor, url);
  answer = ({ body }) => (body === "" ? { status: 200 } : { status: 307, headers: { location: `${url}/elsewhere` } });
  expect(await testWebhook(db(), actor)).toEqual({ status: 307, error: "the receiver answered 307" });
  expect(received).toHaveLength(1);
  answer = () => ({ status: 200, body: "x".repeat(20_000_000) });
  await bench.sql("UPDATE alert_webhook SET tested_at = NULL");
  expect(await testWebhook(db(), actor)).toEqual({ status: 200, error: null });
});

test("unless the operator allows it, neither private addresses nor plain http are taken, and a name that leads there is not connected to", async () => {
  const actor = await bench.anAdmin("member");
  setConfig(readConfig(SECRET));
  for (const bad of [
    ...[
      "http://example.com/",
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "https://10.0.0.1:8443/",
    ],
    ...[
      "https://user:pass@example.com/",
      "https://2130706433/",
      "https://[::ffff:127.0.0.1]/",
      "file:///etc/passwd",
      "nothing",
    ],
  ])
    await expect(saveWebhook(db(), actor, bad)).rejects.toMatchObject({ code: "invalid_request", param: "url" });
  await saveWebhook(db(), actor, `HTTPS://LOCALHOST:${new URL(url).port}/Hook`);
  expect((await readWebhook(db(), actor))?.url).toBe(`https://localhost:${new URL(url).port}/Hook`);
  expect(await testWebhook(db(), actor)).toEqual({ status: null, error: "the address is not a public one" });
  expect(received).toEqual([]);
});

test("after twenty failures in a row a webhook is disabled, its owner is told once, and what waits is cancelled", async () => {
  const { actor } = await aPersonOverHalf();
  answer = () => ({ status: 500 });
  await bench.sql("UPDATE alert_webhook SET failures = 18 WHERE user_id = $1", [actor.userId]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await dueNow();
    await deliverAlerts(db(), mail);
  }
  expect(disabled.filter((userId) => userId === actor.userId)).toHaveLength(1);
  expect(await readWebhook(db(), actor)).toMatchObject({ failures: 20, lastStatus: 500, disabledAt: expect.any(Date) });
  expect(await webhookRow(actor)).toMatchObject({ state: "cancelled" });
  await saveWebhook(db(), actor, url);
  expect(await readWebhook(db(), actor)).toMatchObject({ failures: 0, disabledAt: null });
  await removeWebhook(db(), actor);
  expect(await readWebhook(db(), actor)).toBeNull();
});
