import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import { closeDatabase, db, openDatabase } from "~/connection/db.server";
import { auditLedger } from "~/domain/accounting/index.server";
import { isSound, verifyAuditLog } from "~/domain/activity/index.server";
import { readAutoTopupPolicy } from "~/domain/billing/index.server";
import { applyConfigFile, loadCatalogue } from "~/domain/catalogue/index.server";
import { readTokenLog } from "~/domain/credentials/index.server";
import { TokenLogQuery } from "~/domain/credentials/shared";
import { createOrganisation } from "~/domain/organisations/index.server";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";
import { CAST } from "./cast";
import { Random } from "./random";
import { refuseOthersData, type SeedOptions, seedHistory } from "./seed";

const DAYS = 4;
const LONG = 240_000;
let database: TestDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await freshDatabase();
  dataDir = mkdtempSync(join(tmpdir(), "gw-seed-"));
  await openDatabase({ ...database, poolSize: 1 });
  await applyConfigFile(db(), null);
  await loadCatalogue();
});
afterEach(async () => {
  await closeDatabase();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const tell = (options: Partial<SeedOptions> = {}) => {
  const settings = readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", DATA_DIR: dataDir });
  setConfig(settings);
  return seedHistory(settings, {
    seed: 7,
    days: DAYS,
    scale: 0.3,
    addToExisting: false,
    say: () => undefined,
    ...options,
  });
};

test(
  "ledger, sums and audit log of the demo agree, and every kind of page has something to show",
  async () => {
    const before = Date.now();
    const { calls, openHolds } = await tell();
    expect(Math.abs(Date.now() - before)).toBeLessThan(600_000);
    expect((await auditLedger()).defects).toEqual([]);
    expect(isSound(await verifyAuditLog(db()))).toBe(true);
    const [usage] = await db().$queryRaw<{ calls: number; days: number; organisations: number }[]>`
    SELECT count(*)::int AS calls, count(DISTINCT started_at::date)::int AS days, count(DISTINCT organisation_id)::int AS organisations
      FROM usage_event`;
    expect(usage).toEqual({ calls, days: expect.any(Number), organisations: 3 });
    expect(usage!.days).toBeGreaterThanOrEqual(DAYS);
    const [sums] = await db().$queryRaw<{ requests: number }[]>`SELECT sum(requests)::int AS requests FROM usage_hour`;
    expect(sums!.requests).toBe(calls);
    const [holds] = await db().$queryRaw<{ open: number; review: number }[]>`
    SELECT count(*) FILTER (WHERE state = 'dispatched')::int AS open, count(*) FILTER (WHERE state = 'review')::int AS review
      FROM hold WHERE state IN ('reserved', 'dispatched', 'review')`;
    expect(holds).toEqual({ open: openHolds - 2, review: 2 });
    const people = CAST.flatMap((organisation) => organisation.people);
    expect(await db().user.count()).toBe(people.length);
    expect(people.length).toBe(30);
    expect(await db().organisation.count()).toBe(3);
    expect(await db().organisation.count({ where: { resellerId: { not: null } } })).toBe(1);
    expect(await db().user.count({ where: { status: "suspended" } })).toBeGreaterThan(0);
    expect(await db().user.count({ where: { status: "archived" } })).toBeGreaterThan(0);
    expect(await db().apiKey.groupBy({ by: ["status"], _count: true, orderBy: { status: "asc" } })).toHaveLength(3);
    expect(await db().invite.count({ where: { revokedAt: null, expiresAt: { gt: new Date() } } })).toBe(4);
    const [acts] = await db().$queryRaw<{ days: number }[]>`SELECT count(DISTINCT at::date)::int AS days FROM act`;
    expect(acts!.days).toBeGreaterThan(3);
    const [refusals] = await db().$queryRaw<{ codes: number }[]>`
    SELECT count(DISTINCT code)::int AS codes FROM gateway_refusal`;
    expect(refusals!.codes).toBeGreaterThan(0);
    expect(await readAutoTopupPolicy(db())).toMatchObject({ version: 1, approved: true });
    const [money] = await db().$queryRaw<{ payments: number; credits: number; alerts: number; told: number }[]>`
    SELECT (SELECT count(*)::int FROM payment WHERE credited_txn IS NOT NULL) AS payments,
           (SELECT count(*)::int FROM promotion_credit) AS credits, (SELECT count(*)::int FROM alert) AS alerts,
           (SELECT count(*)::int FROM alert_delivery WHERE state = 'sent') AS told`;
    expect(money).toMatchObject({ payments: 6, credits: 2 });
    expect(Math.min(money!.alerts, money!.told)).toBeGreaterThan(0);
    const [reports] = await db().$queryRaw<Record<"reports" | "schedules" | "runs" | "reviewed" | "files", number>[]>`
    SELECT (SELECT count(*)::int FROM saved_report) AS reports, (SELECT count(*)::int FROM report_schedule) AS schedules,
           (SELECT count(*)::int FROM report_schedule_run WHERE status = 'done') AS runs,
           (SELECT count(*)::int FROM report_schedule_run WHERE reviewed_at IS NOT NULL) AS reviewed,
           (SELECT count(*)::int FROM report_export WHERE status = 'done' AND row_count > 0) AS files`;
    expect(reports).toMatchObject({ reports: 9, schedules: 3 });
    expect(reports!.runs).toBeGreaterThan(reports!.reviewed);
    expect(reports!.files).toBeGreaterThan(3);
    const [supplied] = await db().$queryRaw<Record<"prices" | "planned" | "tiers" | "draining" | "calls", number>[]>`
    SELECT count(*)::int AS prices, count(*) FILTER (WHERE p.valid_from > now())::int AS planned, count(p.tiers)::int AS tiers,
           count(*) FILTER (WHERE s.status = 'draining')::int AS draining,
           (SELECT count(*)::int FROM usage_event WHERE supplier = 'aurora-eu') AS calls
      FROM price p JOIN model_route r ON r.id = p.route_id JOIN supplier s ON s.id = r.supplier_id WHERE s.source = 'portal'`;
    expect(supplied).toMatchObject({ prices: 6, planned: 2, tiers: 6, draining: 6 });
    expect(supplied!.calls).toBeGreaterThan(0);
    const keyEvents = await readTokenLog(db(), TokenLogQuery.parse({ provider: "aurora-eu" }));
    expect(new Set(keyEvents.events.map(({ kind }) => kind))).toEqual(
      new Set(["used_error", "cooled", "recovered", "changed"]),
    );
    expect(JSON.stringify(keyEvents)).not.toContain("sk-demo");
    const batches = await db().$queryRaw<{ state: string; ended: number; charged: bigint }[]>`
    SELECT b.state, b.completed + b.failed AS ended,
           (SELECT sum(charged)::bigint FROM usage_event WHERE routing ->> 'batchId' = b.id) AS charged
      FROM batch b WHERE b.output_file_id IS NOT NULL ORDER BY b.total`;
    expect(batches.map(({ state, ended }) => [state, ended])).toEqual([
      ["completed", 12],
      ["completed", 40],
    ]);
    expect(batches.every(({ charged }) => charged > 0n)).toBe(true);
  },
  LONG,
);

// The first and the last half hour of a month, and noon of a day in its middle: some budget periods start there.
test.each(["2026-11-01T00:20:00Z", "2026-10-31T23:40:00Z", "2026-11-12T12:00:00Z"])(
  "there are alerts and a saved card, also when the history ends at %s",
  async (until) => {
    await tell({ untilMs: Date.parse(until), days: 2, scale: 0.02 });
    const [row] = await db().$queryRaw<{ told: number; cards: number; newest: Date }[]>`
      SELECT (SELECT count(*)::int FROM alert_delivery WHERE state = 'sent') AS told,
             (SELECT count(*)::int FROM payment_method WHERE removed_at IS NULL) AS cards,
             (SELECT max(created_at) FROM hold) AS newest`;
    expect(row!.told).toBeGreaterThan(0);
    expect(row!.cards).toBe(2);
    expect(row!.newest.getTime()).toBeLessThan(Date.parse(until) + 600_000);
  },
  LONG,
);

test("the same number tells the same history", () => {
  const told = (seed: number) => {
    const random = new Random(seed);
    return [random.callId(1_760_000_000_000), random.between(1, 1_000_000), random.around(900), random.count(3.5)];
  };
  expect(told(7)).toEqual(told(7));
  expect(told(7)).not.toEqual(told(8));
});

test(
  "an installation with organisations is left alone, unless the demo is added on purpose; and there is one demo",
  async () => {
    await inTransaction(db(), (tx) => createOrganisation(tx, { name: "Real customer", billingExempt: false }));
    await expect(refuseOthersData({ addToExisting: false })).rejects.toThrow(
      "holds 1 organisation; nothing was changed",
    );
    await refuseOthersData({ addToExisting: true });
    await tell();
    expect(await db().organisation.count()).toBe(4);
    // No person of the demo gets an operator role, because the demo's password appears on a terminal.
    expect(await db().user.count({ where: { role: { in: ["owner", "platform_admin"] } } })).toBe(0);
    expect((await auditLedger()).defects).toEqual([]);
    await expect(refuseOthersData({ addToExisting: true })).rejects.toThrow("has the demo data already");
  },
  LONG,
);
