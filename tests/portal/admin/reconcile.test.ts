import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const PAGE = "/dashboard/admin/billing/reconcile";

/** Creates a call in review, in a wallet with one dollar. Returns its id. */
async function inReview(): Promise<string> {
  const callId = randomUUID();
  const organisationId = await portal.addOrganisation("Unclear Ltd");
  const [wallet] = await portal.sql("SELECT wallet_open('organisation', $1, $1, false)::int AS id", [organisationId]);
  await portal.sql("SELECT wallet_post($1, 'adjustment', 1000000000, 'adjustment', $2, 'test', 'start')", [
    wallet.id,
    callId,
  ]);
  await portal.sql("UPDATE ledger_account SET held = held + 4000000 WHERE id = $1", [wallet.id]);
  await portal.sql(
    `INSERT INTO hold (id, organisation_id, key_id, wallet_id, exempt, state, amount, price_version, lease_owner, lease_until, created_at, dispatched_at, reason)
     VALUES ($1, $2, 1, $3, false, 'review', 4000000, 1, 'gone', now() - interval '1 minute', now(), now(), 'lease_expired')`,
    [callId, organisationId, wallet.id],
  );
  return callId;
}

test("a hold in review is found on the page, and decided there once, by whoever runs the installation", async () => {
  const callId = await inReview();
  const operator = await portal.signInAs("platform_admin");
  const list = await (await operator.browser.get(PAGE)).text();
  expect(list).toContain(callId);
  expect(list).toContain("Unclear Ltd");
  expect((await operator.browser.get(`${PAGE}/${callId}`)).status).toBe(200);
  expect((await operator.browser.get(`${PAGE}/${randomUUID()}`)).status).toBe(404);
  const refused = { resolution: "charge", amount: "", reason: "" };
  const bare = await operator.browser.post(`${PAGE}/${callId}/resolve`, refused, {
    headers: { referer: `${portal.url}${PAGE}/${callId}` },
  });
  const page = await (await operator.browser.get(bare.headers.get("location")!)).text();
  for (const field of ["amount", "reason"]) expect(page).toContain(`href="#review-${field}"`);
  const form = { resolution: "charge", amount: "0.003", reason: "billed there, ticket 4711" };
  const admin = await portal.signInAs("org_admin");
  expect((await admin.browser.post(`${PAGE}/${callId}/resolve`, form, { json: true })).status).toBe(403);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => operator.browser.post(`${PAGE}/${callId}/resolve`, form, { json: true })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => [200, 404, 409].includes(status))).toBe(true);
  const [hold] = await portal.sql("SELECT state, captured::int FROM hold WHERE id = $1", [callId]);
  expect(hold).toEqual({ state: "settled", captured: 3_000_000 });
  expect(await (await operator.browser.get(PAGE)).text()).not.toContain(callId);
});

test("the audit runs as a job when it is asked for, and the page says what it found and when", async () => {
  const operator = await portal.signInAs("platform_admin");
  await expect
    .poll(async () => (await operator.browser.post(`${PAGE}/audit`, {}, { json: true })).status, { timeout: 15_000 })
    .toBe(200);
  await expect
    .poll(async () => (await operator.browser.get(PAGE)).text(), { timeout: 20_000 })
    .toContain("No processor is set up");
  const page = await (await operator.browser.get(PAGE)).text();
  expect(page).toContain("No defects");
  expect(page).toContain("Equal");
});
