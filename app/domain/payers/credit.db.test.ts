import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openWallet, postAdjustment, readBalance, readCreditGiven } from "~/domain/accounting/index.server";
import {
  hardDelete,
  readPerson,
  setBillingConfig,
  setCreditLimit,
  setOrganisation,
} from "~/domain/people/index.server";
import { actorFor, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import type { Actor } from "../accounts/shared";
// These folders depend on this one: moving people and merging organisations must keep the same rule.
import { acceptInvite, createInvite, mergeOrganisations, updateOrganisation } from "../organisations/index.server";

let database: TestDatabase;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  const home = await anOrganisation();
  await aPerson(home.id, "owner");
  platform = await anActor(home.id, "platform_admin");
});
afterAll(() => database.close());

async function anOrganisationWith(creditCeilingNanoUsd: bigint) {
  const { id } = await anOrganisation({ creditCeilingNanoUsd });
  const boss = await anActor(id, "org_admin");
  return { id, boss, member: () => aPerson(id, "member") };
}

const give = (actor: Actor, person: { id: number }, limitNanoUsd: bigint) =>
  codeOf(setCreditLimit(db(), actor, person.id, limitNanoUsd));
const giveByConfig = (actor: Actor, person: { id: number }, limitNanoUsd: bigint) =>
  codeOf(setBillingConfig(db(), actor, person.id, { mode: "own", credit: { limitNanoUsd, param: "spending_limit" } }));
const walletOf = (person: { id: number }, organisationId: number) =>
  openWallet(db(), { kind: "user", id: person.id, organisationId });
const limitOf = async (person: { id: number }, organisationId: number) =>
  (await readBalance(db(), await walletOf(person, organisationId))).creditLimitNanoUsd;
let posted = 0;
async function spend(person: { id: number }, organisationId: number, amountNanoUsd: bigint) {
  posted += 1;
  const posting = { idempotencyKey: `spent-${posted}`, actor: "test", memo: "" };
  await postAdjustment(db(), {
    ...posting,
    walletId: await walletOf(person, organisationId),
    amountNanoUsd: -amountNanoUsd,
  });
}

describe("an organisation admin", () => {
  test.each([
    ["credit-limit", give],
    ["billing-config", giveByConfig],
  ] as const)("gives no credit where nobody has set a ceiling (%s)", async (_, door) => {
    const { id, boss, member } = await anOrganisationWith(0n);
    const person = await member();
    expect(await door(boss, person, 1n)).toBe("forbidden");
    expect(await limitOf(person, id)).toBe(0n);
    // A rejected operation changes nothing.
    expect(await db().user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({ billingMode: "inherit" });
    expect(await door(platform, person, 1_000n)).toBe("ok");
  });

  test("gives out what the ceiling leaves beside everybody's credit, through either door, and lowers as they like", async () => {
    const { id, boss, member } = await anOrganisationWith(100n);
    const [one, two] = [await member(), await member()];
    await updateOrganisation(db(), platform, id, { creditLimitNanoUsd: 10n });
    expect(await give(boss, one, 60n)).toBe("ok");
    expect(await giveByConfig(boss, two, 31n)).toBe("forbidden");
    expect(await giveByConfig(boss, two, 30n)).toBe("ok");
    expect(await give(boss, two, 31n)).toBe("forbidden");
    expect((await readPerson(db(), boss, two.id)).mostCreditNanoUsd).toBe(30n);
    expect(await give(boss, one, 20n)).toBe("ok");
    expect((await readPerson(db(), boss, two.id)).mostCreditNanoUsd).toBe(70n);
    expect(await giveByConfig(boss, two, 70n)).toBe("ok");
    expect((await readPerson(db(), platform, two.id)).mostCreditNanoUsd).toBeNull();
  });

  test("the refusal says how much is left, beside the field that asked", async () => {
    const { boss, member } = await anOrganisationWith(12_500_000_000n);
    const person = await member();
    const refused = await setCreditLimit(db(), boss, person.id, 13_000_000_000n).catch((error) => error);
    expect(refused).toMatchObject({ code: "forbidden", param: "credit_limit" });
    expect(refused.humanMessage).toContain("Enter at most $12.50");
  });

  test("keeps what was given when the ceiling sinks below it, and only cannot give more", async () => {
    const { id, boss, member } = await anOrganisationWith(100n);
    const [one, two] = [await member(), await member()];
    await give(boss, one, 80n);
    await updateOrganisation(db(), platform, id, { creditCeilingNanoUsd: 50n });
    expect(await limitOf(one, id)).toBe(80n);
    expect([await give(boss, one, 81n), await give(boss, two, 1n)]).toEqual(["forbidden", "forbidden"]);
    expect([await give(boss, one, 79n), await give(boss, one, 80n)]).toEqual(["ok", "forbidden"]);
    const [act] = await db().act.findMany({ where: { organisationId: id, action: "organisation.update" } });
    expect(act).toMatchObject({ before: { creditCeilingNanoUsd: "100" }, after: { creditCeilingNanoUsd: "50" } });
  });

  test("cannot give the same credit again once it is used: lowered, deleted or moved away, it counts", async () => {
    const { id, boss, member } = await anOrganisationWith(100n);
    const [spender, next] = [await member(), await member()];
    await give(boss, spender, 100n);
    await spend(spender, id, 90n);
    await give(boss, spender, 0n);
    expect([await give(boss, next, 11n), await give(boss, next, 10n)]).toEqual(["forbidden", "ok"]);
    await give(boss, next, 0n);
    // A person who accepts an invitation cannot move with a debt.
    const elsewhere = await anOrganisationWith(0n);
    const invite = await createInvite(db(), elsewhere.boss, { email: spender.email, role: "member" });
    const joins = async () => acceptInvite(db(), invite.token, { kind: "signedIn", actor: await actorFor(spender.id) });
    expect(await codeOf(joins())).toBe("conflict");
    await hardDelete(db(), boss, spender.id, spender.email);
    expect(await give(boss, next, 11n)).toBe("forbidden");
  });

  test("takes credit back with somebody who leaves by an invitation; those who run the installation move it along", async () => {
    const { id, boss, member } = await anOrganisationWith(100n);
    const [leaver, moved] = [await member(), await member()];
    await give(boss, leaver, 60n);
    await give(boss, moved, 40n);
    const elsewhere = await anOrganisationWith(0n);
    const { token } = await createInvite(db(), elsewhere.boss, { email: leaver.email, role: "member" });
    await acceptInvite(db(), token, { kind: "signedIn", actor: await actorFor(leaver.id) });
    expect(await limitOf(leaver, elsewhere.id)).toBe(0n);
    await setOrganisation(db(), platform, moved.id, elsewhere.id);
    expect(await limitOf(moved, elsewhere.id)).toBe(40n);
    expect([await readCreditGiven(db(), id), await readCreditGiven(db(), elsewhere.id)]).toEqual([0n, 40n]);
  });

  test("of twenty raises at the same moment, as many hold as the ceiling allows", async () => {
    const { id, boss, member } = await anOrganisationWith(100n);
    const people = await Promise.all(Array.from({ length: 20 }, member));
    const outcomes = await Promise.all(
      people.map((person, at) => (at % 2 === 0 ? give(boss, person, 30n) : giveByConfig(boss, person, 30n))),
    );
    expect(outcomes.toSorted()).toEqual([...Array(17).fill("forbidden"), "ok", "ok", "ok"]);
    expect(await readCreditGiven(db(), id)).toBe(90n);
  });

  test("raises beside a merge end without a deadlock, and the ceilings are added", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await anOrganisationWith(10n), await anOrganisationWith(20n)];
      const people = await Promise.all(Array.from({ length: 6 }, two.member));
      const merge = { targetId: one.id, sourceIds: [two.id], roles: new Map() };
      const [merged, ...raised] = await Promise.all([
        codeOf(mergeOrganisations(db(), platform, merge)),
        ...people.map((person) => give(two.boss, person, 5n)),
      ]);
      expect(merged).toBe("ok");
      for (const outcome of raised) expect(["ok", "forbidden", "not_found", "conflict"]).toContain(outcome);
      const row = await db().organisation.findUniqueOrThrow({ where: { id: one.id } });
      expect(row.creditCeilingNanoUsd).toBe(30n);
      expect(await readCreditGiven(db(), one.id)).toBeLessThanOrEqual(20n);
    }
  });
});

test("an exemption that came with the organisation ends with it, for its people's wallets too", async () => {
  const home = await anOrganisation({ billingExempt: true });
  const [own, exempted] = [await aPerson(home.id, "member"), await aPerson(home.id, "member")];
  await db().user.update({ where: { id: exempted.id }, data: { billingExempt: true } });
  const [wallet, kept] = await Promise.all(
    [own, exempted].map(({ id }) => openWallet(db(), { kind: "user", id, organisationId: home.id }, { exempt: true })),
  );
  await updateOrganisation(db(), platform, home.id, { billingExempt: false });
  expect((await readBalance(db(), wallet as number)).exempt).toBe(false);
  expect((await readBalance(db(), kept as number)).exempt).toBe(true);
});

test("a wallet that was exempt with one organisation counts in another", async () => {
  const [exempt, paying] = [await anOrganisation({ billingExempt: true }), await anOrganisation()];
  const person = await aPerson(exempt.id, "member");
  const wallet = await openWallet(db(), { kind: "user", id: person.id, organisationId: exempt.id }, { exempt: true });
  const boss = await anActor(paying.id, "org_admin");
  const { token } = await createInvite(db(), boss, { email: person.email, role: "member" });
  await acceptInvite(db(), token, { kind: "signedIn", actor: await actorFor(person.id) });
  expect((await readBalance(db(), wallet)).exempt).toBe(false);
});

test("an organisation's own credit, ceiling and exemption are set by those who run the installation", async () => {
  const { id, boss } = await anOrganisationWith(5n);
  for (const change of [{ creditLimitNanoUsd: 1n }, { creditCeilingNanoUsd: 9n }, { billingExempt: true }]) {
    expect(await codeOf(updateOrganisation(db(), boss, id, change))).toBe("forbidden");
  }
});
