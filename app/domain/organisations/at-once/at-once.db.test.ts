import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { createActorKey } from "~/domain/keys/index.server";
import { setDepartment, setOrganisation, setStatus } from "~/domain/people/index.server";
import {
  actorFor,
  aDepartment,
  anActor,
  anOrganisation,
  aPerson,
  codeOf,
} from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import {
  acceptInvite,
  answerNomination,
  createInvite,
  createProject,
  deleteDepartment,
  deleteOrganisation,
  setBillingUser,
  updateProject,
} from "../index.server";

/** Two concurrent operations, or a double click. The embedded database runs them one after the other. */
const ROUNDS = 12;
let database: TestDatabase;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  platform = await anActor((await anOrganisation()).id, "platform_admin");
});
afterAll(() => database.close());

/** Results of operations that start together. */
const outcomesOf = (acts: readonly Promise<unknown>[]): Promise<string[]> => Promise.all(acts.map(codeOf));
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test("of many invitations of one address one stays open", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  await outcomesOf(times(4, () => createInvite(db(), boss, { email: "twice@new.example", role: "member" })));
  const open = await db().invite.count({ where: { email: "twice@new.example", revokedAt: null } });
  expect(open).toBe(1);
});

test("of many projects of one name there is one, made or renamed", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const made = await outcomesOf(times(8, () => createProject(db(), boss, { name: "Same", description: "" })));
  expect(made.toSorted()).toEqual([...times(7, () => "conflict"), "ok"]);
  const others = await Promise.all(times(4, (at) => createProject(db(), boss, { name: `P${at}`, description: "" })));
  const renamed = await outcomesOf(others.map(({ id }) => updateProject(db(), boss, id, { name: "Other" })));
  expect(renamed.toSorted()).toEqual(["conflict", "conflict", "conflict", "ok"]);
});

test("nobody comes into an organisation that ends, by being moved or by an invitation", async () => {
  const home = await anOrganisation();
  for (let round = 0; round < ROUNDS; round += 1) {
    const ends = await anOrganisation();
    const person = await aPerson(home.id, "member");
    const invited = await anActor(home.id, "member");
    const { email } = invited;
    const invite = await createInvite(db(), platform, { email, role: "member", organisationId: ends.id });
    const comes =
      round % 2 === 0
        ? setOrganisation(db(), platform, person.id, ends.id)
        : acceptInvite(db(), invite.token, { kind: "signedIn", actor: invited });
    await outcomesOf([comes, deleteOrganisation(db(), platform, ends.id)]);
    const lost = await db().user.count({
      where: { organisationId: ends.id, organisation: { closedAt: { not: null } } },
    });
    expect(lost).toBe(0);
  }
});

test("a department is deleted, or something is put into it", async () => {
  const home = await anOrganisation();
  const boss = await anActor(home.id, "org_admin");
  const person = await aPerson(home.id, "member");
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id: departmentId } = await aDepartment(home.id);
    const settings = { allowedModels: [], allowedRegions: [], rateLimitRpm: null, metadata: {}, expiresAt: null };
    const put = [
      () => setDepartment(db(), boss, person.id, departmentId),
      () => createInvite(db(), boss, { email: `d${round}@new.example`, role: "member", departmentId }),
      () => createActorKey(db(), boss, { name: "k", kind: "inference", owner: "nobody", departmentId, ...settings }),
    ][round % 3]!;
    const location = { organisationId: home.id, departmentId };
    const outcomes = await outcomesOf([deleteDepartment(db(), boss, location), put()]);
    expect(["ok,not_found", "conflict,ok"]).toContain(outcomes.join());
  }
});

test("whoever pays for an organisation is an active person of it", async () => {
  const home = await anOrganisation();
  const boss = await anActor(home.id, "org_admin");
  for (let round = 0; round < ROUNDS; round += 1) {
    const payer = await aPerson(home.id, "member");
    const leaves =
      round % 2 === 0
        ? () => setOrganisation(db(), platform, payer.id, platform.organisationId)
        : () => setStatus(db(), platform, payer.id, "archived");
    await setBillingUser(db(), boss, home.id, payer.id);
    const outcomes = await outcomesOf([answerNomination(db(), await actorFor(payer.id), "accept"), leaves()]);
    expect(["ok,conflict", "not_found,ok"]).toContain(outcomes.join());
    await setBillingUser(db(), boss, home.id, null);
  }
});

test("of accepting to pay and being cleared at the same moment, the organisation is left with one answer", async () => {
  const home = await anOrganisation();
  const boss = await anActor(home.id, "org_admin");
  for (let round = 0; round < ROUNDS; round += 1) {
    const payer = await anActor(home.id, "member");
    await setBillingUser(db(), boss, home.id, payer.userId);
    const accepts = () => answerNomination(db(), payer, "accept");
    const clears = () => setBillingUser(db(), boss, home.id, null);
    const [accepted] = await outcomesOf(round % 2 === 0 ? [accepts(), clears()] : [clears(), accepts()].toReversed());
    expect(["ok", "not_found"]).toContain(accepted);
    const row = await db().organisation.findUniqueOrThrow({
      where: { id: home.id },
      include: { payerNomination: true },
    });
    expect([row.billingUserId, row.payerNomination]).toEqual([null, null]);
  }
});
