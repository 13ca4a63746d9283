import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatUsd } from "~/values/money";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const STATEMENTS = "/dashboard/billing/statements";
const month = new Date().toISOString().slice(0, 7);

/** Creates an organisation with ten dollars, and an admin whose key has made one call. */
async function aPayer() {
  const organisationId = await portal.addOrganisation("Payers Ltd");
  const admin = await portal.signInAs("org_admin", { organisationId });
  const [wallet] = await portal.sql("SELECT wallet_open('organisation', $1, $1, false)::int AS id", [organisationId]);
  await portal.sql("SELECT wallet_post($1, 'adjustment', 10000000000, 'adjustment', $2, 'test', 'start')", [
    wallet.id,
    randomUUID(),
  ]);
  const made = await admin.browser.post("/dashboard/keys/new", { name: "One call" }, { json: true });
  const { key } = (await made.json()) as { key: string };
  const answer = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(answer.status).toBe(200);
  const find = async () =>
    (await portal.sql("SELECT request_id::text, charged::text FROM usage_event WHERE wallet_id = $1", [wallet.id]))[0];
  await expect.poll(find, { timeout: 10_000 }).toBeTruthy();
  const { request_id: requestId, charged } = await find();
  return { ...admin, organisationId, requestId, charged: BigInt(charged) };
}

/** Formats an amount as pages do, with all decimal places. */
const shown = (nanoUsd: bigint) => `${nanoUsd < 0n ? "−" : ""}$${formatUsd(nanoUsd < 0n ? -nanoUsd : nanoUsd)}`;

test("one request's money is followed from hold to charge to ledger entry to statement, by links, in the same nano-dollars", async () => {
  const { browser, requestId, charged } = await aPayer();
  expect(charged).toBeGreaterThan(0n);
  const wallet = await (await browser.get("/dashboard/billing")).text();
  const entryPath = "/dashboard/billing/ledger/2";
  expect(wallet).toContain(`href="${entryPath}"`);
  const entry = await (await browser.get(entryPath)).text();
  for (const text of [requestId, "Equal to the entry", shown(charged), shown(-charged)]) expect(entry).toContain(text);
  expect(entry).toContain(`href="${STATEMENTS}/${month}"`);
  const statement = await (await browser.get(`${STATEMENTS}/${month}`)).text();
  expect(statement).toContain("Equal to the ledger");
  for (const text of [shown(-charged), shown(charged), shown(10_000_000_000n - charged), "sandbox-chat"])
    expect(statement).toContain(text);
  // The statement links to the ledger as of the statement's end.
  const back = /href="(\/dashboard\/billing\?before=3#ledger)"/.exec(statement)?.[1];
  expect(await (await browser.get(back!)).text()).toContain(`href="${entryPath}"`);
  const file = await (await browser.get(`${STATEMENTS}/${month}/export`)).text();
  for (const line of [
    "balance,opening,,0.000000000,Opening balance",
    "movement,adjustment,1,10.000000000,",
    `movement,usage,1,-${formatUsd(charged)},Usage`,
    `balance,closing,,${formatUsd(10_000_000_000n - charged)},Closing balance`,
    `model,sandbox-chat,1,${formatUsd(charged)},Usage by model: sandbox-chat`,
    "compared,ledger_equal,,true,Equal to the ledger",
  ])
    expect(file).toContain(line);
  // Another language changes only the texts, not the data that programs read.
  await browser.post("/set-language", { language: "de" });
  const german = await (await browser.get(`${STATEMENTS}/${month}/export`)).text();
  expect(german).toContain("balance,opening,,0.000000000,Anfangsstand");
  const numbers = (text: string) =>
    text.split("\n").flatMap((line) => (line.startsWith("compared,at") ? [] : [line.split(",").slice(0, 4)]));
  expect(numbers(german)).toEqual(numbers(file));
  expect(await (await browser.get(`${STATEMENTS}/${month}`)).text()).toContain("Anfangsstand");
  await browser.post("/set-language", { language: "en" });
  expect(await (await browser.get(STATEMENTS)).text()).toContain(`href="${STATEMENTS}/${month}/export"`);
});

test("statements are for who may see the wallet, and there are none of other months", async () => {
  const { browser, organisationId } = await aPayer();
  const member = await portal.signInAs("member", { organisationId });
  for (const path of [
    STATEMENTS,
    `${STATEMENTS}/${month}`,
    `${STATEMENTS}/${month}/export`,
    "/dashboard/billing/ledger/1",
  ])
    expect((await member.browser.getJson(path)).status, path).toBe(403);
  for (const path of [`${STATEMENTS}/2001-01`, `${STATEMENTS}/nonsense`, "/dashboard/billing/ledger/99"])
    expect((await browser.getJson(path)).status, path).toBe(404);
});
