import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

const RUN = "/dashboard/playground/run";
let portal: Portal;
const people = {} as Record<"member" | "other" | "viewer", SignedIn>;
let keyId: number;

beforeAll(async () => {
  portal = await startPortal({ env: { GW_PLAYGROUND_DAILY: "0.05" } });
  for (const name of ["member", "other"] as const) people[name] = await portal.signInAs("member");
  people.viewer = await portal.signInAs("viewer");
  keyId = await newKey(people.member.browser, "tried");
}, 120_000);
afterAll(() => portal?.close());

async function newKey(browser: Browser, name: string): Promise<number> {
  const made = await browser.post("/dashboard/keys/new", { name }, { json: true });
  return (await made.json()).id;
}

const asked = (more: Record<string, unknown> = {}) => ({
  ...{ key_id: keyId, model: "sandbox-chat", message: "a private sentence", max_tokens: 20 },
  ...more,
});

async function run(browser: Browser, body: Record<string, unknown>) {
  const response = await browser.fetch(RUN, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const receipt = /event: receipt\ndata: (.*)\n/.exec(text)?.[1];
  return { status: response.status, text, receipt: receipt === undefined ? null : JSON.parse(receipt) };
}

const rowOf = async (id: string) =>
  (
    await portal.sql(
      "SELECT key_id, charged::text AS charged, stream, outcome FROM usage_event WHERE request_id = $1",
      [id],
    )
  )[0];
const spentToday = async (): Promise<bigint> =>
  BigInt(
    (
      await portal.sql("SELECT playground_nano_usd::text AS spent FROM app_user WHERE id = $1", [
        people.member.person.userId,
      ])
    )[0].spent,
  );

test("a call from the playground is held, charged and logged like any other of its key, and its budget counts what it cost", async () => {
  const { status, text, receipt } = await run(people.member.browser, asked());
  expect(status).toBe(200);
  expect(text).toContain('"delta"');
  expect(receipt).toMatchObject({ status: 200, error_code: null, supplier: expect.any(String) });
  expect(Number(receipt.cost_usd)).toBeGreaterThan(0);
  await vi.waitFor(async () => expect(await rowOf(receipt.request_id)).toMatchObject({ key_id: keyId, stream: true }), {
    timeout: 10_000,
  });
  const charged = BigInt((await rowOf(receipt.request_id)).charged);
  expect(BigInt(receipt.cost_usd.replace(".", ""))).toBe(charged);
  expect(await spentToday()).toBe(charged);
  expect(portal.gateway.output()).not.toContain("a private sentence");
});

test("a person whose payer is not charged has the same budget, counted by the cost of their calls", async () => {
  const organisationId = await portal.addOrganisation("Exempt");
  await portal.sql("UPDATE ledger_account SET exempt = true WHERE organisation_id = $1 AND kind = 'wallet'", [
    organisationId,
  ]);
  const { browser, person } = await portal.signInAs("member", { organisationId });
  const key_id = await newKey(browser, "exempt");
  const { receipt } = await run(browser, asked({ key_id }));
  expect(receipt).toMatchObject({ status: 200, error_code: null });
  await vi.waitFor(async () => expect(await rowOf(receipt.request_id)).toBeDefined(), 10_000);
  const [{ cost }] = await portal.sql("SELECT cost::text AS cost FROM usage_event WHERE request_id = $1", [
    receipt.request_id,
  ]);
  const [{ spent }] = await portal.sql("SELECT playground_nano_usd::text AS spent FROM app_user WHERE id = $1", [
    person.userId,
  ]);
  expect([BigInt(cost) > 0n, spent]).toEqual([true, cost]);
});

test("without script the answer is part of the page", async () => {
  const fields = { key_id: String(keyId), model: "sandbox-chat", model_2: "", model_3: "", message: "hello" };
  const page = await people.member.browser.post("/dashboard/playground", {
    ...fields,
    ...{ system: "", tool: "", max_tokens: "20", temperature: "" },
  });
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toMatch(/\/dashboard\/request-log\/[\w-]{36}"/);
  const wrong = await people.member.browser.post("/dashboard/playground", { ...fields, max_tokens: "0" });
  expect(wrong.status).toBe(422);
});

test("a text that is too long is told so with the limit and given back; without script one that is not goes through in any script", async () => {
  const send = (message: string) => {
    const form = new FormData();
    const fields = { key_id: String(keyId), model: "sandbox-chat", message, max_tokens: "20", temperature: "" };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return people.member.browser.fetch("/dashboard/playground", {
      ...{ method: "POST", body: form, headers: { accept: "text/html" } },
    });
  };
  const page = await (await people.member.browser.get("/dashboard/playground")).text();
  expect(page).toMatch(/<form[^>]*id="playground"[^>]*encType="multipart\/form-data"/i);
  const tooLong = await send("字".repeat(200_001));
  expect(tooLong.status).toBe(422);
  const html = await tooLong.text();
  expect(html).toContain("Use 200,000 characters or fewer.");
  expect(html).toContain("字".repeat(200_001));
  expect((await send("字".repeat(200_000))).status).not.toBe(413);
  const history = JSON.stringify([{ role: "user", content: "x".repeat(200_000) }]);
  const refused = await run(people.member.browser, asked({ history }));
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("The conversation is too long");
});

test("nobody calls by a key that is not theirs, not active or an admin key, nor below the role of a member", async () => {
  expect((await run(people.other.browser, asked())).status).toBe(404);
  expect((await run(people.viewer.browser, asked())).status).toBe(403);
  expect((await run(portal.visitor(), asked())).status).toBe(401);
  const own = await newKey(people.member.browser, "suspended");
  await portal.sql("UPDATE api_key SET status = 'suspended' WHERE id = $1", [own]);
  expect((await run(people.member.browser, asked({ key_id: own }))).status).toBe(403);
  await portal.sql("UPDATE api_key SET status = 'revoked' WHERE id = $1", [own]);
  expect((await run(people.member.browser, asked({ key_id: own }))).status).toBe(404);
  await portal.sql("UPDATE api_key SET status = 'active', kind = 'admin' WHERE id = $1", [own]);
  expect((await run(people.member.browser, asked({ key_id: own }))).status).toBe(404);
});

test("a body that is too long, half sent, or no picture is refused before anything is called", async () => {
  const before = await spentToday();
  const picture = (bytes: number) => `data:image/png;base64,${"A".repeat(bytes)}`;
  expect((await run(people.member.browser, asked({ image: picture(1_100_000) }))).status).toBe(413);
  expect((await run(people.member.browser, asked({ image: "https://example.com/a.png" }))).status).toBe(422);
  expect((await run(people.member.browser, asked({ tool: "{" }))).status).toBe(422);
  expect((await run(people.member.browser, asked({ unknown: "1" }))).status).toBe(422);
  const half = await people.member.browser.fetch(RUN, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: '{"key_id": 1, "mod',
  });
  expect(half.status).toBe(400);
  expect(await spentToday()).toBe(before);
});

test("what the gateway refuses is told in the stream, and nothing is taken of the budget", async () => {
  const before = await spentToday();
  const { status, text, receipt } = await run(people.member.browser, asked({ model: "never-heard-of" }));
  expect(status).toBe(200);
  expect(text).toContain("model_not_found");
  expect(receipt).toMatchObject({ status: 404, error_code: "model_not_found", cost_usd: null });
  expect(await spentToday()).toBe(before);
});

test("calls at the same moment together stay below the person's budget of the day", async () => {
  const budget = 50_000_000n;
  const spend = (spent: bigint) =>
    portal.sql("UPDATE app_user SET playground_nano_usd = $1 WHERE id = $2", [
      String(spent),
      people.member.person.userId,
    ]);
  await spend(budget);
  const refused = await run(people.member.browser, asked({ max_tokens: 2_000 }));
  expect(refused.receipt).toMatchObject({ error_code: "budget_exceeded", cost_usd: null });
  const [, dollars, places] = /can cost up to \$(\d+)\.(\d+)/.exec(refused.text) ?? [];
  const perCall = BigInt(`${dollars}${places?.padEnd(9, "0")}`);
  await spend(budget - perCall - perCall / 2n);
  const all = await Promise.all(
    Array.from({ length: 6 }, () => run(people.member.browser, asked({ max_tokens: 2_000 }))),
  );
  expect(all.filter(({ text }) => text.includes("budget_exceeded")).length).toBeGreaterThanOrEqual(1);
  expect(await spentToday()).toBeLessThanOrEqual(budget);
  await spend(budget);
  await portal.sql("UPDATE app_user SET playground_day = playground_day - 1 WHERE id = $1", [
    people.member.person.userId,
  ]);
  expect((await run(people.member.browser, asked())).receipt.error_code).toBeNull();
});
