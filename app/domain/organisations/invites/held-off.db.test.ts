import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor, Role } from "~/domain/accounts/shared";
import { createActorKey, rotateActorKey } from "~/domain/keys/index.server";
import { hardDelete, setDepartment, setOrganisation, setRole, setStatus } from "~/domain/people/index.server";
import { aDepartment, anActor, anOrganisation, codeOf } from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { createInvite, createProject, mergeOrganisations } from "../index.server";

/**
 * An administrator must not be able to postpone their demotion by continuous activity. On PostgreSQL these operations
 * run concurrently.
 */
const ROUNDS = 20;
let database: TestDatabase;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  platform = await anActor((await anOrganisation()).id, "owner");
});
afterAll(() => database.close());

const settings = { allowedModels: [], allowedRegions: [], rateLimitRpm: null, metadata: {}, expiresAt: null };
/**
 * Allowed results of an operation whose author loses their rank meanwhile. Any other result is rethrown and fails the
 * test.
 */
const ENDS = new Set(["ok", "forbidden", "account_status", "not_found", "conflict", "rate_limit_exceeded"]);

/** Sends invitations and creates, rotates and shares keys one after another, from three browsers, until stopped. */
function actAtFullSpeed(admin: Actor) {
  let stopped = false;
  let acts = 0;
  const outcomes = new Set<string>();
  const loop = async (act: () => Promise<unknown>) => {
    while (!stopped) {
      outcomes.add(await codeOf(act()));
      acts += 1;
    }
  };
  const aKey = (kind: "admin" | "inference", owner: "self" | "nobody") =>
    createActorKey(db(), admin, { name: "k", kind, owner, ...settings });
  const loops = [
    loop(() => createInvite(db(), admin, { email: `${randomUUID()}@new.example`, role: "member" })),
    loop(async () => rotateActorKey(db(), admin, (await aKey("admin", "nobody")).id, { overlapSeconds: 60 })),
    loop(async () => {
      await aKey("admin", "self");
      await createProject(db(), admin, { name: randomUUID(), description: "" });
    }),
  ];
  return {
    /** Resolves once `count` operations have completed. */
    async after(count: number) {
      while (acts < count) await new Promise((resolve) => setImmediate(resolve));
    },
    async stop() {
      stopped = true;
      await Promise.all(loops);
      return outcomes;
    },
  };
}

test.each<[string, (admin: Actor) => Promise<unknown>]>([
  ["demotion", ({ userId }) => setRole(db(), platform, userId, "member")],
  ["suspension", ({ userId }) => setStatus(db(), platform, userId, "suspended")],
  [
    "move to another organisation",
    async ({ userId }) => setOrganisation(db(), platform, userId, (await anOrganisation()).id),
  ],
  [
    "move to another department",
    async ({ userId, organisationId }) => setDepartment(db(), platform, userId, (await aDepartment(organisationId)).id),
  ],
  ["deletion", ({ userId, email }) => hardDelete(db(), platform, userId, email)],
  [
    "merge",
    async ({ userId, organisationId }) =>
      mergeOrganisations(db(), platform, {
        targetId: (await anOrganisation()).id,
        sourceIds: [organisationId],
        roles: new Map<number, Role>([[userId, "member"]]),
      }),
  ],
])(
  "of twenty admins who act at full speed none holds off their %s",
  async (_, end) => {
    const ended: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const admin = await anActor((await anOrganisation()).id, "org_admin");
      const busy = actAtFullSpeed(admin);
      await busy.after(3);
      ended.push(await codeOf(end(admin)));
      const outcomes = await busy.stop();
      expect([...outcomes].filter((outcome) => !ENDS.has(outcome))).toEqual([]);
    }
    expect(ended).toEqual(Array.from({ length: ROUNDS }, () => "ok"));
  },
  120_000,
);
