import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Accounting } from "~/domain/accounting/accounting";
import {
  grantFunds,
  openWallet,
  readBalance,
  readBudget,
  setBudget,
  setCreditLimit,
} from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { issueKey, verifyKey } from "~/domain/keys/index.server";
import { aHold, aSettlement, type Books, openBooks, recoverAll, someParties } from "../../../tests/support/accounting";
import { actorFor, aDepartment, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import { answerNomination, createInvite, mergeOrganisations, readMergeData, setBillingUser } from "./index.server";

// RUNS=… for more runs, SEED=… to repeat a run.
const RUNS = Number(process.env.RUNS ?? 12);
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);

let books: Books;
let accounting: Accounting;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  books = await openBooks();
  accounting = await books.start({ patienceMs: 0 });
  const home = await anOrganisation({ name: "Operator", billingExempt: true });
  await aPerson(home.id, "owner");
  platform = await anActor(home.id, "platform_admin");
});
afterAll(() => books.close());

type Drawn = {
  funds: number;
  credit: number;
  exempt: boolean;
  calls: { amount: number; share: number; late: boolean }[];
};
type Call = { request: ReturnType<typeof aHold>; cost: bigint; late: boolean };

async function aPayingOrganisation(drawn: Drawn) {
  const { id } = await anOrganisation({ billingExempt: drawn.exempt });
  const walletId = await openWallet(db(), { kind: "organisation", id, organisationId: id }, { exempt: drawn.exempt });
  if (drawn.funds > 0) {
    const posting = { idempotencyKey: `funds-${id}`, actor: "test", memo: "" };
    await grantFunds(db(), { ...posting, walletId, amountNanoUsd: BigInt(drawn.funds) });
  }
  await setCreditLimit(db(), walletId, BigInt(drawn.credit));
  const calls: Call[] = [];
  for (const { amount, share, late } of drawn.calls) {
    const parties = someParties(walletId, { organisationId: id, keyId: id, exempt: drawn.exempt });
    const request = aHold(parties, BigInt(amount));
    if ((await accounting.admit(request)).kind === "held") {
      calls.push({ request, cost: (BigInt(amount) * BigInt(share)) / 100n, late });
    }
  }
  return { id, walletId, calls, exempt: drawn.exempt };
}

test("money: whatever wallets hold, owe and have open, a merge neither makes nor loses a nano-dollar", async () => {
  const drawn = fc.record({
    funds: fc.oneof(fc.constant(0), fc.nat(1_000)),
    credit: fc.oneof(fc.constant(0), fc.nat(500)),
    exempt: fc.boolean(),
    calls: fc.array(fc.record({ amount: fc.nat(400), share: fc.integer({ min: 0, max: 100 }), late: fc.boolean() }), {
      maxLength: 5,
    }),
  });
  await fc.assert(
    fc.asyncProperty(drawn, fc.array(drawn, { minLength: 1, maxLength: 3 }), async (target, sources) => {
      const to = await aPayingOrganisation(target);
      const from = await Promise.all(sources.map(aPayingOrganisation));
      const all = [to, ...from];
      for (const { request, cost, late } of all.flatMap(({ calls }) => calls)) {
        if (!late) await accounting.settle(aSettlement(request, cost));
      }
      // What payers own. Usage of exempt payers is not a debt.
      const owned = async () => {
        let sum = 0n;
        for (const { walletId } of all) sum += (await readBalance(db(), walletId)).postedNanoUsd;
        return sum;
      };
      const forgiven = async () => {
        const [row] = await books.sql<{ sum: bigint }>(
          "SELECT coalesce(sum(e.amount), 0)::bigint AS sum FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id WHERE t.kind = 'write_off' AND e.account_id = ANY ($1)",
          [all.map(({ walletId }) => walletId)],
        );
        return row!.sum;
      };
      const before = await owned();
      await mergeOrganisations(db(), platform, {
        targetId: to.id,
        sourceIds: from.map(({ id }) => id),
        roles: new Map(),
      });
      expect(await owned()).toBe(before + (await forgiven()));
      expect(await books.defects()).toEqual([]);
      let charged = 0n;
      for (const { request, cost, late } of all.flatMap(({ calls }) => calls)) {
        if (late) charged += (await accounting.settle(aSettlement(request, cost))).chargedNanoUsd;
      }
      await recoverAll(accounting);
      expect(await owned()).toBe(before + (await forgiven()) - charged);
      for (const { walletId, exempt } of from) {
        const balance = await readBalance(db(), walletId);
        expect(balance.heldNanoUsd).toBe(0n);
        expect(balance.creditLimitNanoUsd).toBe(0n);
        if (!exempt) expect(balance.postedNanoUsd).toBe(0n);
        expect(balance.postedNanoUsd <= 0n).toBe(true);
      }
      expect(await books.defects()).toEqual([]);
    }),
    { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }) },
  );
}, 300_000);

test("a merge moves people, keys, departments, projects, invitations and budgets; keys go on working", async () => {
  const [to, from] = [await anOrganisation({ name: "Keep" }), await anOrganisation({ name: "Gone" })];
  const boss = await aPerson(from.id, "org_admin");
  const twin = await aDepartment(to.id, "Sales");
  const department = await aDepartment(from.id, "Sales");
  const person = await aPerson(from.id, "member", { departmentId: department.id });
  const project = await db().project.create({ data: { organisationId: from.id, name: "Apollo" } });
  const key = await issueKey(db(), {
    organisationId: from.id,
    userId: person.id,
    departmentId: department.id,
    projectId: project.id,
    name: "mine",
    budget: { limitNanoUsd: 77n },
  });
  const { token: _token, ...invite } = await createInvite(db(), platform, {
    email: "new@example.com",
    role: "member",
    organisationId: from.id,
  });
  await setBudget(
    db(),
    { kind: "organisation", id: to.id, organisationId: to.id },
    { limitNanoUsd: 100n, period: "monthly" },
  );
  await setBudget(
    db(),
    { kind: "organisation", id: from.id, organisationId: from.id },
    { limitNanoUsd: 30n, period: "monthly" },
  );
  await db().organisation.update({
    where: { id: from.id },
    data: { billingUserId: person.id, creditCeilingNanoUsd: 30n },
  });
  await db().organisation.update({ where: { id: to.id }, data: { creditCeilingNanoUsd: 12n } });
  expect((await verifyKey(key.secret)).organisationId).toBe(from.id);
  const merged = await mergeOrganisations(db(), platform, {
    targetId: to.id,
    sourceIds: [from.id],
    billingUserId: person.id,
    roles: new Map([[boss.id, "member"]]),
  });
  expect(merged).toMatchObject({ people: 2, keys: 1, departments: 1, projects: 1, invites: 1 });
  const caller = await verifyKey(key.secret);
  expect(caller).toMatchObject({ organisationId: to.id, departmentId: department.id, projectId: project.id });
  expect(await db().user.findUniqueOrThrow({ where: { id: boss.id } })).toMatchObject({
    role: "member",
    organisationId: to.id,
  });
  const names = await db().department.findMany({ where: { organisationId: to.id }, orderBy: { id: "asc" } });
  expect(names.map(({ id, name }) => [id, name])).toEqual([
    [twin.id, "Sales"],
    [department.id, `Sales (Gone ${from.id})`],
  ]);
  expect(await db().invite.findUniqueOrThrow({ where: { id: invite.id } })).toMatchObject({ organisationId: to.id });
  expect((await readBudget(db(), { kind: "organisation", id: to.id }))?.limitNanoUsd).toBe(130n);
  expect((await readBudget(db(), { kind: "key", id: key.id }))?.limitNanoUsd).toBe(77n);
  const gone = await db().organisation.findUniqueOrThrow({ where: { id: from.id } });
  expect(gone).toMatchObject({ mergedIntoId: to.id, portalDomain: null });
  expect(gone.closedAt).toBeInstanceOf(Date);
  expect(await db().organisation.findUniqueOrThrow({ where: { id: to.id } })).toMatchObject({
    billingUserId: person.id,
    creditCeilingNanoUsd: 42n,
  });
  expect(await codeOf(readMergeData(db(), platform, from.id))).toBe("not_found");
  const acts = await db().act.findMany({ where: { action: { startsWith: "organisation.merge" } } });
  expect(acts.length).toBeGreaterThan(1);
});

test("who may merge, and what with: foreign and ended organisations, roles above one's own, the last owner", async () => {
  const [one, two] = [await anOrganisation(), await anOrganisation()];
  const boss = await anActor(one.id, "org_admin");
  const none = new Map();
  expect(await codeOf(mergeOrganisations(db(), boss, { targetId: one.id, sourceIds: [two.id], roles: none }))).toBe(
    "forbidden",
  );
  const as = (merge: object) =>
    codeOf(mergeOrganisations(db(), platform, { targetId: one.id, sourceIds: [two.id], roles: none, ...merge }));
  expect(await as({ sourceIds: [] })).toBe("invalid_input");
  expect(await as({ sourceIds: [one.id] })).toBe("invalid_input");
  expect(await as({ sourceIds: [999_999] })).toBe("not_found");
  expect(await as({ billingUserId: 999_999 })).toBe("not_found");
  expect(await as({ roles: new Map([[boss.userId, "owner"]]) })).toBe("forbidden");
  expect(await as({ roles: new Map([[boss.userId, "platform_admin"]]) })).toBe("forbidden");
  expect(await as({ roles: new Map([[999_999, "member"]]) })).toBe("not_found");
  const ownersHome = await db().user.findFirstOrThrow({ where: { role: "owner" } });
  const owner = await anActor(ownersHome.organisationId, "owner");
  await db().user.updateMany({ where: { role: "owner", id: { not: owner.userId } }, data: { role: "member" } });
  expect(
    await codeOf(
      mergeOrganisations(db(), owner, {
        targetId: one.id,
        sourceIds: [owner.organisationId],
        roles: new Map([[owner.userId, "member"]]),
      }),
    ),
  ).toBe("conflict");
  expect(await db().organisation.count({ where: { mergedIntoId: one.id } })).toBe(0);
});

test("two merges of the same source at once: one happens", async () => {
  const [one, two, source] = [await anOrganisation(), await anOrganisation(), await anOrganisation()];
  const none = new Map();
  const outcomes = await Promise.all(
    [one, two].map(({ id }) =>
      codeOf(mergeOrganisations(db(), platform, { targetId: id, sourceIds: [source.id], roles: none })),
    ),
  );
  expect(outcomes.toSorted()).toEqual(["not_found", "ok"]);
});

test("a merge asks whoever has not agreed to pay, and until then the payer stays; what was asked before ends", async () => {
  const [one, two] = [await anOrganisation(), await anOrganisation({ billingExempt: true })];
  const [payer, other, own] = [
    await aPerson(one.id, "member"),
    await aPerson(two.id, "member"),
    await anActor(two.id, "member"),
  ];
  await db().organisation.update({ where: { id: one.id }, data: { billingUserId: payer.id } });
  const walletId = await openWallet(db(), { kind: "user", id: own.userId, organisationId: two.id }, { exempt: true });
  await setBillingUser(db(), platform, two.id, own.userId);
  const merge = { targetId: one.id, sourceIds: [two.id], billingUserId: other.id, roles: new Map() };
  const merged = await mergeOrganisations(db(), platform, merge);
  expect(merged).toMatchObject({ nominatedUserId: other.id, asked: { email: other.email } });
  const row = await db().organisation.findUniqueOrThrow({ where: { id: one.id }, include: { payerNomination: true } });
  expect(row).toMatchObject({ billingUserId: payer.id, payerNomination: { userId: other.id } });
  expect(await codeOf(answerNomination(db(), await actorFor(own.userId), "accept"))).toBe("not_found");
  // The wallet was exempt only through its organisation.
  expect((await readBalance(db(), walletId)).exempt).toBe(false);
  await answerNomination(db(), await actorFor(other.id), "accept");
  expect((await db().organisation.findUniqueOrThrow({ where: { id: one.id } })).billingUserId).toBe(other.id);
});
