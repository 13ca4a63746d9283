import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { startBus, stopBus } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { setBudget } from "~/domain/accounting/index.server";
import type { Actor, Role } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import {
  countActorKeys,
  createActorKey,
  issueKey,
  keyChoices,
  listActorKeys,
  readActorKey,
  readInheritedLimits,
  resumeActorKey,
  revokeActorKey,
  revokeKey,
  rotateActorKey,
  suspendActorKey,
  updateActorKey,
  verifyKey,
} from "../index.server";
import { NO_SETTINGS } from "../settings";
import { KEY_SORTS } from "./shared";

let database: TestDatabase;
const people: Record<string, Actor> = {};
const keys: Record<string, number> = {};
const places = { home: 0, away: 0, research: 0, sales: 0, apollo: 0, hermes: 0 };

beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef" }));
  database = await openFreshDatabase();
  await startBus();
  places.home = (await db().organisation.create({ data: { name: "Home", slug: "home", billingExempt: true } })).id;
  places.away = (await db().organisation.create({ data: { name: "CANARY-away", slug: "away" } })).id;
  const department = async (organisationId: number, name: string) =>
    (await db().department.create({ data: { organisationId, name } })).id;
  places.research = await department(places.home, "Research");
  places.sales = await department(places.home, "Sales");
  const project = async (organisationId: number, name: string) =>
    (await db().project.create({ data: { organisationId, name } })).id;
  places.apollo = await project(places.home, "Apollo");
  places.hermes = await project(places.away, "CANARY-hermes");

  await person("owner", "owner", places.home);
  await person("orgAdmin", "org_admin", places.home);
  await person("researchAdmin", "department_admin", places.home, places.research);
  await person("researcher", "member", places.home, places.research);
  await person("seller", "member", places.home, places.sales);
  await person("reader", "viewer", places.home, places.research);
  await person("stranger", "org_admin", places.away);
  await db().projectMember.create({ data: { projectId: places.apollo, userId: people.researcher!.userId } });

  const make = async (name: string, fields: object, organisationId = places.home) => {
    keys[name] = (await issueKey(db(), { organisationId, name, ...fields })).id;
  };
  await make("root", { kind: "admin" });
  await make("researcher", { userId: people.researcher!.userId, departmentId: places.research });
  await make("seller", { userId: people.seller!.userId, departmentId: places.sales });
  await make("orgAdmin", { userId: people.orgAdmin!.userId });
  await make("department", { departmentId: places.research });
  await make("CANARY-key", { userId: people.stranger!.userId }, places.away);
});
afterAll(async () => {
  await stopBus();
  await database.close();
});

async function person(name: string, role: Role, organisationId: number, departmentId: number | null = null) {
  const email = `${name}@example.com`.toLowerCase();
  const { id } = await db().user.create({ data: { email, name, organisationId, departmentId, role } });
  people[name] = {
    ...{ userId: id, sessionId: 0, email, name, role, organisationId, departmentId },
    ...{ adminMode: role !== "member" && role !== "viewer", adminOrganisationId: null, language: "en", address: "" },
  };
}
const as = (name: string, view: Partial<Actor> = {}): Actor => ({ ...people[name]!, ...view });
const seenBy = async (actor: Actor) =>
  (
    await listActorKeys(db(), actor, { filter: {}, sort: { by: "name", descending: false }, after: null, limit: 50 })
  ).keys.map(({ name }) => name);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error) => (error as { code: string }).code,
  );

describe("the list", () => {
  test.each([
    ["owner", {}, ["CANARY-key", "department", "orgAdmin", "researcher", "root", "seller"]],
    ["owner", { adminMode: false }, []],
    ["orgAdmin", {}, ["department", "orgAdmin", "researcher", "root", "seller"]],
    ["orgAdmin", { adminMode: false }, ["orgAdmin"]],
    ["researchAdmin", {}, ["department", "researcher"]],
    ["researchAdmin", { adminMode: false }, []],
    ["researcher", {}, ["researcher"]],
    ["reader", {}, []],
    ["stranger", {}, ["CANARY-key"]],
  ])("shows %s %j their scope and nothing else", async (name, view, expected) => {
    expect(await seenBy(as(name as string, view as Partial<Actor>))).toEqual(expected);
  });

  test("of a platform admin narrows to the organisation they look at", async () => {
    expect(await seenBy(as("owner", { adminOrganisationId: places.away }))).toEqual(["CANARY-key"]);
  });

  test.each(Object.keys(KEY_SORTS) as (keyof typeof KEY_SORTS)[])(
    "by %s comes in pages that miss nothing and repeat nothing",
    async (by) => {
      for (const descending of [true, false]) {
        const all: number[] = [];
        let after: Awaited<ReturnType<typeof listActorKeys>>["next"] = null;
        do {
          const page: Awaited<ReturnType<typeof listActorKeys>> = await listActorKeys(db(), as("owner"), {
            filter: {},
            sort: { by, descending },
            after,
            limit: 2,
          });
          all.push(...page.keys.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect([...all].sort()).toEqual(Object.values(keys).sort());
      }
    },
  );

  test("filters by status, owner, project, model and words, all at once", async () => {
    const made = await createActorKey(db(), as("researcher"), {
      owner: "self",
      name: "100% filtered",
      projectId: places.apollo,
      allowedModels: ["one-model"],
    });
    const ids = async (filter: Parameters<typeof listActorKeys>[2]["filter"]) =>
      (
        await listActorKeys(db(), as("owner"), {
          filter,
          sort: { by: "created", descending: true },
          after: null,
          limit: 50,
        })
      ).keys.map(({ id }) => id);
    expect(await ids({ search: "100%" })).toEqual([made.id]);
    expect(await ids({ search: "1_0%" })).toEqual([]);
    expect(await ids({ search: "%" })).toEqual([made.id]);
    expect(await ids({ projectId: places.apollo, status: "active", model: "one-model" })).toEqual([made.id]);
    expect(await ids({ projectId: places.apollo, model: "another" })).toEqual([]);
    expect(await ids({ ownerId: people.seller!.userId })).toEqual([keys.seller]);
    await revokeActorKey(db(), as("researcher"), made.id);
    expect(await ids({ projectId: places.apollo, status: "active" })).toEqual([]);
    expect(await countActorKeys(db(), as("researcher"))).toEqual({ active: 1, suspended: 0, expired: 0, revoked: 1 });
  });
});

describe("one key", () => {
  test("outside the scope is answered like one that does not exist", async () => {
    for (const id of [keys["CANARY-key"]!, keys.seller!, keys.root!, 999_999, 0, -1, 2 ** 40]) {
      for (const verb of [
        () => readActorKey(db(), as("researcher"), id),
        () => readInheritedLimits(db(), as("researcher"), id),
        () => updateActorKey(db(), as("researcher"), id, { name: "mine now" }),
        () => rotateActorKey(db(), as("researcher"), id, { overlapSeconds: 0 }),
        () => suspendActorKey(db(), as("researcher"), id),
        () => resumeActorKey(db(), as("researcher"), id),
        () => revokeActorKey(db(), as("researcher"), id),
      ]) {
        expect(await codeOf(verb())).toBe("not_found");
      }
    }
  });

  test("shows who has it and never its secret", async () => {
    const key = await readActorKey(db(), as("orgAdmin"), keys.researcher!);
    expect(key).toMatchObject({
      owner: { name: "researcher", active: true },
      department: { name: "Research" },
      organisation: { name: "Home" },
      rights: { change: true, limits: true },
    });
    expect(JSON.stringify(key, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toMatch(
      /gw_[0-9A-Za-z]{20,}/,
    );
  });

  test("has every setting, an empty list where the database has none, and no column of its owner", async () => {
    await db().$executeRaw`UPDATE api_key SET allowed_models = NULL, rate_limit_rpm = 7 WHERE id = ${keys.researcher}`;
    const key = await readActorKey(db(), as("orgAdmin"), keys.researcher!);
    expect(key).toMatchObject({ ...NO_SETTINGS, rateLimitRpm: 7 });
    expect(key).not.toHaveProperty("ownerRole");
    await db()
      .$executeRaw`UPDATE api_key SET allowed_models = '{}', rate_limit_rpm = NULL WHERE id = ${keys.researcher}`;
  });

  test("of a person of higher rank is for reading", async () => {
    await db().user.update({ where: { id: people.orgAdmin!.userId }, data: { departmentId: places.research } });
    await db().apiKey.update({ where: { id: keys.orgAdmin! }, data: { departmentId: places.research } });
    const key = await readActorKey(db(), as("researchAdmin"), keys.orgAdmin!);
    expect(key.rights).toEqual({ change: false, limits: false });
    expect(await codeOf(revokeActorKey(db(), as("researchAdmin"), keys.orgAdmin!))).toBe("forbidden");
    await db().apiKey.update({ where: { id: keys.orgAdmin! }, data: { departmentId: null } });
    await db().user.update({ where: { id: people.orgAdmin!.userId }, data: { departmentId: null } });
  });
});

describe("making a key", () => {
  const input = { owner: "self", name: "new" } as const;

  test("is for people themselves, and not for viewers", async () => {
    const made = await createActorKey(db(), as("researcher"), input);
    expect(await readActorKey(db(), as("researcher"), made.id)).toMatchObject({
      userId: people.researcher!.userId,
      departmentId: places.research,
      createdById: people.researcher!.userId,
    });
    expect((await verifyKey(made.secret)).keyId).toBe(made.id);
    expect(await codeOf(createActorKey(db(), as("reader"), input))).toBe("forbidden");
    expect(await codeOf(keyChoices(db(), as("reader")))).toBe("forbidden");
  });

  test.each([
    ["researcher", { owner: "nobody" }, "forbidden"],
    ["researcher", { owner: "seller" }, "forbidden"],
    ["researcher", { kind: "admin" }, "forbidden"],
    ["researcher", { project: "hermes" }, "not_found"],
    ["seller", { project: "apollo" }, "not_found"],
    ["researcher", { project: "apollo" }, "ok"],
    ["researchAdmin", { owner: "researcher" }, "ok"],
    ["researchAdmin", { owner: "seller" }, "not_found"],
    ["researchAdmin", { owner: "nobody" }, "ok"],
    ["researchAdmin", { kind: "admin" }, "forbidden"],
    ["orgAdmin", { owner: "seller" }, "ok"],
    ["orgAdmin", { owner: "stranger" }, "not_found"],
    ["orgAdmin", { owner: "owner" }, "forbidden"],
    ["orgAdmin", { kind: "admin" }, "ok"],
    ["orgAdmin", { project: "apollo" }, "ok"],
    ["owner", { owner: "stranger" }, "ok"],
  ] as const)("%s %j: %s", async (name, asked: { owner?: string; kind?: string; project?: string }, expected) => {
    const named = asked.owner === "nobody" ? "nobody" : asked.owner ? people[asked.owner]!.userId : "self";
    const projectId = asked.project === "apollo" ? places.apollo : asked.project ? places.hermes : null;
    const kind = asked.kind === "admin" ? "admin" : "inference";
    const made = createActorKey(db(), as(name), { name: "matrix", owner: named, kind, projectId });
    expect(await codeOf(made)).toBe(expected);
  });

  test("for nobody stays in the department of a department admin", async () => {
    const forNobody = { owner: "nobody", name: "shared" } as const;
    const made = await createActorKey(db(), as("researchAdmin"), forNobody);
    expect((await readActorKey(db(), as("orgAdmin"), made.id)).department?.name).toBe("Research");
    const elsewhere = createActorKey(db(), as("researchAdmin"), { ...forNobody, departmentId: places.sales });
    await expect(elsewhere).rejects.toMatchObject({ code: "not_found" });
  });

  test("offers the people, departments and projects of one's own scope", async () => {
    const offered = await keyChoices(db(), as("orgAdmin"));
    expect(JSON.stringify(offered)).not.toContain("CANARY");
    expect(offered.people.map(({ name }) => name)).not.toContain("owner");
    expect(await keyChoices(db(), as("researcher"))).toEqual({
      ...{ others: false, adminKeys: false, people: [], departments: [] },
      projects: [{ id: places.apollo, name: "Apollo" }],
    });
  });
});

describe("limits that somebody else has set", () => {
  test("stand against the owner of the key, and bend for an admin", async () => {
    const holder = people.researcher!.userId;
    const { id } = await createActorKey(db(), as("researchAdmin"), {
      owner: holder,
      name: "given",
      budget: { limitNanoUsd: 5n, period: "daily" },
    });
    const widen = { budget: { limitNanoUsd: 500n } };
    expect(await codeOf(updateActorKey(db(), as("researcher"), id, widen))).toBe("forbidden");
    expect(await codeOf(updateActorKey(db(), as("researcher"), id, { rateLimitRpm: null }))).toBe("forbidden");
    expect(await codeOf(updateActorKey(db(), as("researcher"), id, { name: "renamed" }))).toBe("ok");
    expect(await codeOf(rotateActorKey(db(), as("researcher"), id, { overlapSeconds: 0 }))).toBe("ok");
    expect(await codeOf(updateActorKey(db(), as("researchAdmin"), id, widen))).toBe("ok");
  });

  test("an admin's suspension is not the owner's to end, their own is", async () => {
    const id = keys.researcher!;
    await suspendActorKey(db(), as("researcher"), id);
    expect((await resumeActorKey(db(), as("researcher"), id)).status).toBe("active");
    await suspendActorKey(db(), as("orgAdmin"), id);
    expect(await codeOf(resumeActorKey(db(), as("researcher"), id))).toBe("forbidden");
    expect((await resumeActorKey(db(), as("researchAdmin"), id)).status).toBe("active");
  });
});

describe("the audit log", () => {
  const actsOn = async (id: number) =>
    (await readAuditEvents(db(), { targetKind: "key", targetId: String(id), limit: 20 })).reverse();

  test("has every act with its author and what changed, and never a secret", async () => {
    const { id, secret } = await createActorKey(db(), as("researcher"), { owner: "self", name: "watched" });
    await updateActorKey(db(), as("orgAdmin"), id, {
      name: "watched closely",
      budget: { limitNanoUsd: 1_500_000_000n, period: "daily" },
    });
    await updateActorKey(db(), as("orgAdmin"), id, { name: "watched closely" });
    await suspendActorKey(db(), as("orgAdmin"), id);
    await resumeActorKey(db(), as("orgAdmin"), id);
    const rotated = await rotateActorKey(db(), as("researcher"), id, { overlapSeconds: 60 });
    await revokeActorKey(db(), as("researcher"), id);
    await revokeActorKey(db(), as("researcher"), id);
    const acts = await actsOn(id);
    expect(acts.map(({ action, actorLabel }) => [action, actorLabel])).toEqual([
      ["key.create", "researcher@example.com"],
      ["key.update", "orgadmin@example.com"],
      ["key.suspend", "orgadmin@example.com"],
      ["key.resume", "orgadmin@example.com"],
      ["key.rotate", "researcher@example.com"],
      ["key.revoke", "researcher@example.com"],
    ]);
    expect(acts[1]).toMatchObject({
      before: { name: "watched", budget_limit: null, budget_period: null },
      after: { name: "watched closely", budget_limit: "1.500000000", budget_period: "daily" },
    });
    const text = JSON.stringify(acts, (_, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain(secret);
    expect(text).not.toContain(rotated.secret);
  });

  test("names the admin key for what the management API does", async () => {
    const by = { userId: null, label: "admin key key_abc" };
    const { id, publicId } = await issueKey(db(), { organisationId: places.home, name: "by program" }, by);
    await revokeKey(db(), { organisationId: places.home }, { publicId }, by);
    expect((await actsOn(id)).map(({ action, actorLabel }) => [action, actorLabel])).toEqual([
      ["key.create", "admin key key_abc"],
      ["key.revoke", "admin key key_abc"],
    ]);
  });

  test("has nothing of what was refused", async () => {
    const before = await actsOn(keys.root!);
    await codeOf(revokeActorKey(db(), as("orgAdmin"), keys.root!));
    const { id } = await createActorKey(db(), as("researcher"), { owner: "self", name: "kept" });
    expect(await codeOf(updateActorKey(db(), as("researcher"), id, { projectId: places.hermes }))).toBe("not_found");
    expect(await actsOn(id)).toHaveLength(1);
    expect((await actsOn(keys.root!)).length - before.length).toBeLessThanOrEqual(1);
  });
});

describe("who else limits a key", () => {
  test("is told with amounts to those who may know them, with shares to the others", async () => {
    const budget = { limitNanoUsd: 10_000n, period: "monthly" } as const;
    const organisationId = places.home;
    await setBudget(db(), { kind: "organisation", id: places.home, organisationId }, budget);
    await setBudget(db(), { kind: "department", id: places.research, organisationId }, budget);
    await setBudget(db(), { kind: "user", id: people.researcher!.userId, organisationId }, budget);
    const seen = async (name: string) =>
      (await readInheritedLimits(db(), as(name), keys.researcher!)).limits.map(({ scope, amounts }) => [
        scope,
        amounts !== null,
      ]);
    expect(await seen("researcher")).toEqual([
      ["user", true],
      ["department", false],
      ["organisation", false],
    ]);
    expect(await seen("researchAdmin")).toEqual([
      ["user", true],
      ["department", true],
      ["organisation", false],
    ]);
    expect((await seen("orgAdmin")).every(([, known]) => known)).toBe(true);
  });

  test("names who pays: the organisation, its billing user, or the person themselves", async () => {
    const payer = async () => (await readInheritedLimits(db(), as("orgAdmin"), keys.seller!)).payer;
    expect(await payer()).toEqual({
      reason: "organisation",
      kind: "organisation",
      name: "Home",
      exempt: true,
      availableNanoUsd: null,
    });
    await db().organisation.update({ where: { id: places.home }, data: { billingUserId: people.orgAdmin!.userId } });
    expect(await payer()).toMatchObject({ kind: "user", name: "orgAdmin" });
    await db().user.update({ where: { id: people.seller!.userId }, data: { billingMode: "own" } });
    expect(await payer()).toMatchObject({ kind: "user", name: "seller" });
    await db().organisation.update({ where: { id: places.home }, data: { billingUserId: null } });
  });
});
