import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { PrismaPg } from "@prisma/adapter-pg";
import { afterEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db, newTablesClient, sqlPool } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { isSound, verifyAuditLog } from "~/domain/activity/index.server";
import { setPrice } from "~/domain/catalogue/index.server";
import { issueKey, rotateKey, updateKey } from "~/domain/keys/index.server";
import { createInvite } from "~/domain/organisations/index.server";
import { createPromotion } from "~/domain/promotions/index.server";
import { createReport, createSchedule } from "~/domain/reports/index.server";
import { PrismaClient } from "~/generated/prisma/client";
import { anActor, anOrganisation } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { projectFile } from "../project-files";
import { unprovenMoments } from "./former-zone";

const MIGRATION = readFileSync(
  projectFile("prisma/migrations/20261130070000_moments_of_other_zones/migration.sql"),
  "utf8",
);
const YEAR = new Date().getUTCFullYear() + 1;
const WINTER = new Date(Date.UTC(YEAR, 0, 15, 12, 30, 15, 123));
const SUMMER = new Date(Date.UTC(YEAR, 6, 15, 23, 45));
const LATER = new Date(Date.now() + 100 * 86_400_000);
const MONTH_SECONDS = 30 * 86_400;

let database: TestDatabase;
let before: PrismaClient;
let platform: Actor;
afterEach(async () => {
  await before?.$disconnect();
  await database?.close();
});

const sql = async (text: string, values: unknown[] = []) => (await sqlPool().query(text, values)).rows;

/**
 * Creates a month-old installation of an earlier release on a database with this time zone; `before` writes as that
 * release did.
 */
async function anInstallation(zone: string): Promise<void> {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  await setZone(zone);
  before = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) });
  await sql("UPDATE repeatable_script SET applied_at = applied_at - interval '30 days'");
  await sql(
    `UPDATE _prisma_migrations SET finished_at = (finished_at - interval '30 days') AT TIME ZONE 'UTC' AT TIME ZONE $1
      WHERE migration_name < '20261129'`,
    [zone],
  );
  await sql("UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name >= '20261129'");
  platform = await anActor((await anOrganisation()).id, "platform_admin");
}

const setZone = (zone: string) =>
  sql(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = '${zone}'`);

const scope = () => ({ organisationId: platform.organisationId });
const aKey = (name: string, expiresAt: Date | null) => issueKey(before, { ...scope(), name, expiresAt });
const endOf = async (id: number) => (await sql("SELECT expires_at FROM api_key WHERE id = $1", [id]))[0].expires_at;

/** Creates a schedule for 08:00 UTC. */
async function aSchedule(cadence = "daily" as const): Promise<number> {
  const reportId = await createReport(before, platform, { name: "Usage", question: "", visibility: "private" });
  return createSchedule(before, platform, {
    ...{ reportId, asked: {}, cadence, cron: "", zone: "UTC", format: "csv", byMail: true, byWebhook: false },
  });
}

async function upgrade(): Promise<void> {
  const client = await newTablesClient(database.url);
  // Applied through a session of gw, as at start-up, and twice, to check that the second time changes nothing.
  for (let turn = 0; turn < 2; turn += 1) await client.query(MIGRATION);
  await client.end();
}

const leftOver = async () => {
  const client = await newTablesClient(database.url);
  try {
    return await unprovenMoments(client);
  } finally {
    await client.end();
  }
};

describe.runIf(process.env.TEST_DATABASE_URL && !process.env.TEST_DATABASE_HOSTILE)(
  "moments that earlier releases wrote",
  () => {
    test.each(["Asia/Kolkata", "America/St_Johns", "Europe/Berlin"])(
      "in %s are put right where the audit log proves them",
      async (zone) => {
        await anInstallation(zone);
        const winter = await aKey("winter", WINTER);
        const summer = await aKey("summer", SUMMER);
        const moved = await aKey("moved", WINTER);
        await updateKey(before, scope(), { id: moved.id }, { expiresAt: SUMMER });
        const endless = await aKey("endless", null);
        const rotated = await rotateKey(before, scope(), { id: endless.id }, { overlapSeconds: MONTH_SECONDS });
        const invitation = await createInvite(before, platform, { ...scope(), email: "a@example.com", role: "member" });
        const schedule = await aSchedule();
        const promotion = await createPromotion(before, platform, {
          ...{ name: "Spring", amountNanoUsd: 5n, audience: "organisation", recipientId: platform.organisationId },
          ...{ limitPerPayer: 1, limitTotal: null, expiresAt: SUMMER, requestId: randomUUID() },
        });
        const supplier = await db().supplier.create({
          data: { name: "s", kind: "openai", region: "eu", source: "portal" },
        });
        await setPrice(
          before,
          { userId: null, label: "test" },
          {
            ...{ supplierId: supplier.id, modelId: "m", upstreamModel: "m", base: null, from: LATER },
            model: { capability: "chat", contextTokens: 1_000, maxOutputTokens: 100, ownedBy: "x" },
            change: { input_per_mtok: 1_000_000_000n, output_per_mtok: 1_000_000_000n },
          },
        );
        expect(await endOf(winter.id)).not.toEqual(WINTER);
        expect(await endOf(summer.id)).not.toEqual(SUMMER);

        await upgrade();
        expect([await endOf(winter.id), await endOf(summer.id), await endOf(moved.id)]).toEqual([
          WINTER,
          SUMMER,
          SUMMER,
        ]);
        expect(await sql("SELECT previous_valid_until FROM api_key WHERE id = $1", [endless.id])).toEqual([
          { previous_valid_until: rotated.previousValidUntil },
        ]);
        const [{ next_run_at: next }] = await sql("SELECT next_run_at FROM report_schedule WHERE id = $1", [schedule]);
        expect([next.getUTCHours(), next > new Date()]).toEqual([8, true]);
        expect(await sql("SELECT expires_at FROM invite WHERE id = $1", [invitation.id])).toEqual([
          { expires_at: invitation.expiresAt },
        ]);
        expect(await sql("SELECT expires_at FROM promotion WHERE id = $1", [promotion.id])).toEqual([
          { expires_at: SUMMER },
        ]);
        expect(await sql("SELECT expires_at FROM promotion_credit")).toEqual([{ expires_at: SUMMER }]);
        expect(await sql("SELECT valid_from FROM price")).toEqual([{ valid_from: LATER }]);
        // The audit log has the correction once, and no unproven time remains.
        expect(
          await sql(
            "SELECT target_id FROM act WHERE actor_label = 'operator' AND action = 'key.update' AND after ? 'expires_at' AND actor_id IS NULL AND target_id = $1",
            [String(winter.id)],
          ),
        ).toHaveLength(1);
        expect(isSound(await verifyAuditLog(db()))).toBe(true);
        expect(await leftOver()).toBeNull();
      },
    );

    test("are put right, too, where the database was set to UTC since, and in the hour that clocks show twice", async () => {
      await anInstallation("Europe/Berlin");
      const twice = new Date(Date.UTC(2026, 9, 25, 2, 30));
      const [summer, shownTwice] = [await aKey("summer", SUMMER), await aKey("twice", twice)];
      await setZone("UTC");
      await upgrade();
      expect([await endOf(summer.id), await endOf(shownTwice.id)]).toEqual([SUMMER, twice]);
    });

    test("stay as they are where nothing proves them, and are told", async () => {
      await anInstallation("Asia/Kolkata");
      const edited = await aKey("edited", SUMMER);
      await sql("UPDATE api_key SET expires_at = $2 WHERE id = $1", [edited.id, WINTER]);
      const unnoted = await aKey("unnoted", SUMMER);
      await sql("UPDATE api_key SET id = 900 WHERE id = $1", [unnoted.id]);
      const schedule = await aSchedule();
      await sql("UPDATE report_schedule SET next_run_at = next_run_at + interval '1 hour' WHERE id = $1", [schedule]);
      const written = await sql("SELECT id, expires_at FROM api_key ORDER BY id");
      await upgrade();
      expect(await sql("SELECT id, expires_at FROM api_key ORDER BY id")).toEqual(written);
      expect(await leftOver()).toEqual({ zone: "Asia/Kolkata", keys: 2, schedules: 1 });
      await setZone("Etc/UTC");
      expect(await leftOver()).toBeNull();
    });

    test("in UTC are left alone, whatever keys were set to by hand, and whatever the zone is now", async () => {
      await anInstallation("UTC");
      const right = await aKey("right", SUMMER);
      const edited = await aKey("edited", SUMMER);
      await sql("UPDATE api_key SET expires_at = expires_at - interval '5 hours 30 minutes' WHERE id = $1", [
        edited.id,
      ]);
      await createInvite(before, platform, { ...scope(), email: "c@example.com", role: "member" });
      const written = await sql("SELECT id, expires_at FROM api_key ORDER BY id");
      for (const zone of ["UTC", "Asia/Kolkata"]) {
        await setZone(zone);
        await upgrade();
        expect(await sql("SELECT id, expires_at FROM api_key ORDER BY id")).toEqual(written);
      }
      expect(await endOf(right.id)).toEqual(SUMMER);
      expect(await leftOver()).toEqual({ zone: "Asia/Kolkata", keys: 1, schedules: 0 });
    });

    test("are no question in an installation that began with this release", async () => {
      database = await openFreshDatabase();
      await setZone("Asia/Kolkata");
      await sql("INSERT INTO organisation (name, slug) VALUES ('a', 'a')");
      expect(await leftOver()).toBeNull();
    });
  },
);
