import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import type { KeyOwner } from "~/domain/keys/shared";
import type { ConversationSettings } from "~/domain/organisations/shared";
import { log } from "~/observe/log.server";
import type { TestDatabase } from "../../../tests/support/database";
import { openWithOwners } from "../../../tests/support/key-owners";
import { changeConversationSettings, purgeConversations, saveTurn } from "./index.server";

const DAY_MS = 86_400_000;
let database: TestDatabase;
let owner: KeyOwner;
let stranger: KeyOwner;

beforeAll(async () => {
  ({ database, owner, stranger } = await openWithOwners());
});
afterAll(() => database.close());
beforeEach(async () => {
  await db().$executeRaw`DELETE FROM conversation`;
  for (const party of [owner, stranger]) await choose(party, 30);
});

const settingsOf = (days: number): ConversationSettings => ({ days, redact: [], words: [] });

/** An administrator of the party's organisation starts to store conversations for a number of days. */
function choose({ organisationId, userId }: KeyOwner, days: number): Promise<void> {
  const own = { userId, organisationId, email: "admin@example.com", address: "" };
  const actor = { ...own, role: "org_admin", adminOrganisationId: null } as unknown as Actor;
  return changeConversationSettings(db(), actor, organisationId, settingsOf(days));
}

const turnOf = ({ organisationId, userId }: KeyOwner, ageDays: number) => ({
  requestId: randomUUID() as string,
  ...{ organisationId, userId, keyId: 1, sessionId: null, endpoint: "chat/completions", model: "m" },
  at: new Date(Date.now() - ageDays * DAY_MS),
});

const stored = () => db().conversationTurn.findMany({ orderBy: { at: "asc" } });

/** Stores a request of a given age under the current settings, and returns its id. */
async function keep(party: KeyOwner, ageDays: number, days: number): Promise<string> {
  const turn = turnOf(party, ageDays);
  const before = (await stored()).length;
  saveTurn(turn, settingsOf(days), { request: "question", answer: "answer" });
  await expect.poll(async () => (await stored()).length).toBe(before + 1);
  return turn.requestId;
}

const lifetimes = async () =>
  new Map(
    (await stored()).map(({ requestId, at, expiresAt }) => [requestId, (expiresAt.getTime() - at.getTime()) / DAY_MS]),
  );

test("a request is kept for the days of its organisation, counted from the request", async () => {
  const [week, month] = [await keep(owner, 0, 7), await keep(stranger, 3, 30)];
  expect(await lifetimes()).toEqual(
    new Map([
      [week, 7],
      [month, 30],
    ]),
  );
});

test("a changed retention holds for stored requests, and for no other organisation's", async () => {
  const [mine, older, theirs] = [await keep(owner, 1, 30), await keep(owner, 9, 30), await keep(stranger, 9, 30)];
  await choose(owner, 5);
  expect(await lifetimes()).toEqual(
    new Map([
      [mine, 5],
      [older, 5],
      [theirs, 30],
    ]),
  );
  expect(await purgeConversations(db(), 100)).toBe(1);
  expect((await stored()).map(({ requestId }) => requestId).toSorted()).toEqual([mine, theirs].toSorted());
  await choose(owner, 60);
  expect((await lifetimes()).get(mine)).toBe(60);
});

test.each([
  { limit: "2,000 requests", fit: 2_001, text: "q" },
  { limit: "8 million characters", fit: 125, text: "q".repeat(64_000) },
])("beyond $limit in the queue, requests are lost and the log counts them", async ({ fit, text }) => {
  const warn = vi.spyOn(log, "warn");
  vi.spyOn(performance, "now").mockReturnValueOnce(1e9);
  const add = () => saveTurn(turnOf(owner, 0), settingsOf(30), { request: text, answer: "" });
  for (let n = 0; n < fit; n += 1) add();
  expect(warn).not.toHaveBeenCalled();
  add();
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ lost: 1 }), expect.stringContaining("lost"));
  vi.restoreAllMocks();
  await expect.poll(async () => (await stored()).length, { timeout: 55_000 }).toBe(fit);
});
