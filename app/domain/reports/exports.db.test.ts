import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db, isEmbedded } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import { type Books, openBooks } from "../../../tests/support/accounting";
import { claimExport } from "./export-store";
import {
  cancelExport,
  createExport,
  createReport,
  listExports,
  openExport,
  purgeExports,
  readExport,
  readFile,
  writeExports,
} from "./index.server";
import type { ExportFormat, ReportRequest } from "./shared";

const GO = new AbortController().signal;
const KEYS = 300;
const HOURS = 48;
const ASKED: ReportRequest = {
  ...{ since: "2026-03-01", until: "2026-03-02", interval: "hour", group: "key" },
  ...{ charged_usd: true, requests: true },
};
/** The same with one row per hour. */
const SMALL: ReportRequest = { ...ASKED, group: "model" };

let books: Books;
let actor: Actor;
let reportId: number;

beforeAll(async () => {
  books = await openBooks();
  setConfig(readConfig({}));
  actor = await somebody("ada");
  reportId = await createReport(db(), actor, { name: "Weekly", question: "", visibility: "private" });
  // Hourly sums, as settlements write them: two days, three hundred keys.
  await books.sql(
    `INSERT INTO usage_hour (hour, organisation_id, key_id, user_id, department_id, project_id, model, supplier, region, requests, charged, cost,
                             errors, failovers, routed, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
                             saved, latency_ms, first_byte_ms, first_bytes)
     SELECT timestamptz '2026-03-01 00:00Z' + h * interval '1 hour', $1, k, $2, 0, 0, 'm', 's', 'r', 1, k, k, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM generate_series(0, $3::int - 1) h, generate_series(1, $4::int) k`,
    [actor.organisationId, actor.userId, HOURS, KEYS],
  );
}, 120_000);
afterAll(() => books.close());

async function somebody(name: string): Promise<Actor> {
  const [{ id: organisationId }] = (await books.sql<{ id: number }>(
    "INSERT INTO organisation (name, slug) VALUES ($1, $1) RETURNING id",
    [name],
  )) as [{ id: number }];
  const [{ id: userId }] = (await books.sql<{ id: number }>(
    "INSERT INTO app_user (email, name, organisation_id, role) VALUES ($1 || '@example.com', $1, $2, 'member') RETURNING id",
    [name, organisationId],
  )) as [{ id: number }];
  return {
    ...{ userId, sessionId: 1, email: `${name}@example.com`, name, role: "member", organisationId, departmentId: null },
    ...{ adminMode: false, adminOrganisationId: null, language: "en", address: "127.0.0.1" },
  };
}

const ask = (format: ExportFormat, asked = SMALL) => createExport(db(), actor, { reportId, asked, format });

async function bytesOf(id: string, from = 0): Promise<Buffer> {
  const { bytes } = await openExport(db(), actor, id);
  const pieces: Uint8Array[] = [];
  for await (const piece of readFile(db(), id, { from, to: Number(bytes) })) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("a file has every row, in pieces that are read from any place, and its sum is that of the hours", async () => {
  const id = await ask("csv", ASKED);
  expect(await writeExports(db(), GO)).toBe(1);
  const file = await bytesOf(id);
  const [header, ...lines] = file.toString().trimEnd().split("\r\n");
  expect(header).toBe("\ufeffstart,key,name,charged_usd,requests");
  expect(lines).toHaveLength(KEYS * HOURS);
  const nano = lines.reduce((sum, line) => sum + Math.round(Number(line.split(",")[3]) * 1e9), 0);
  expect(nano).toBe((HOURS * KEYS * (KEYS + 1)) / 2);
  const done = await readExport(db(), actor, id);
  expect(done).toMatchObject({ status: "done", percent: 100, rows: KEYS * HOURS, bytes: BigInt(file.length) });
  expect(done.sha256).toBe(createHash("sha256").update(file).digest("hex"));
  expect(file.length).toBeGreaterThan(2 * 256 * 1024);
  for (const from of [1, 256 * 1024 - 1, 256 * 1024, file.length - 1])
    expect((await bytesOf(id, from)).equals(file.subarray(from))).toBe(true);
});

test("the same question is the same bytes in every format", async () => {
  for (const format of ["csv", "jsonl", "xlsx"] as const) {
    const [first, second] = [await ask(format), await ask(format)];
    await writeExports(db(), GO);
    expect((await bytesOf(first)).equals(await bytesOf(second))).toBe(true);
  }
  const lines = (
    await bytesOf((await listExports(db(), actor)).find(({ format }) => format === "jsonl")!.id)
  ).toString();
  expect(JSON.parse(lines.slice(0, lines.indexOf("\n")))).toEqual({
    ...{ start: "2026-03-01T00:00:00.000Z", model: "m", name: "m", charged_usd: 4.515e-5, requests: KEYS },
  });
});

test("of exports that are asked for at once three are taken", async () => {
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => ask("csv")));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const { id, status } of await listExports(db(), actor))
    if (status === "queued") await cancelExport(db(), actor, id);
  expect(await writeExports(db(), GO)).toBe(0);
});

test("a try that was cut off is begun anew, and what the earlier one still writes does not count", async () => {
  const id = await ask("csv", ASKED);
  const lost = await claimExport(db());
  expect(lost).toMatchObject({ id, attempt: 1 });
  const { insertPiece, putDone } = await import("./export-store");
  const piece = { position: 0, content: new Uint8Array(10), percent: 1, rows: 1 };
  expect(await insertPiece(lost!, piece)).toBe(true);
  // A lost attempt can write neither while the next one runs nor after it has ended.
  expect(await claimExport(db())).toMatchObject({ id, attempt: 2 });
  expect(await insertPiece(lost!, { ...piece, position: 998 })).toBe(false);
  expect(await putDone(db(), lost!, { rows: 1, sha256: "x", keptDays: 1 })).toBe(false);
  expect(await writeExports(db(), GO)).toBe(1);
  expect(await insertPiece(lost!, { ...piece, position: 999 })).toBe(false);
  expect(await putDone(db(), lost!, { rows: 1, sha256: "x", keptDays: 1 })).toBe(false);
  const file = await bytesOf(id);
  expect(file.toString().trimEnd().split("\r\n")).toHaveLength(KEYS * HOURS + 1);
  expect((await openExport(db(), actor, id)).sha256).toBe(createHash("sha256").update(file).digest("hex"));
});

test("a cancelled export leaves nothing, also when it is under way, and is not cancelled twice", async () => {
  const id = await ask("csv");
  const claimed = await claimExport(db());
  const { insertPiece } = await import("./export-store");
  const piece = { content: new Uint8Array(10), percent: 50, rows: 1 };
  await insertPiece(claimed!, { ...piece, position: 0 });
  await cancelExport(db(), actor, id);
  expect(await insertPiece(claimed!, { ...piece, position: 1 })).toBe(false);
  expect(await books.sql("SELECT 1 FROM report_export_piece WHERE export_id = $1", [id])).toEqual([]);
  await expect(cancelExport(db(), actor, id)).rejects.toMatchObject({ code: "conflict" });
  await expect(openExport(db(), actor, id)).rejects.toMatchObject({ code: "conflict" });
  const [shown] = await books.sql(
    "SELECT status, row_count::int AS rows, bytes::int FROM report_export WHERE id = $1",
    [id],
  );
  expect(shown).toEqual({ status: "cancelled", rows: 0, bytes: 0 });
});

test("an export that is cut off too often fails, and the others are written", async () => {
  const id = await ask("csv");
  for (let attempt = 1; attempt <= 5; attempt += 1) expect(await claimExport(db())).toMatchObject({ id, attempt });
  const other = await ask("csv");
  expect(await writeExports(db(), GO)).toBe(1);
  expect(await readExport(db(), actor, id)).toMatchObject({ status: "failed", problem: "interrupted" });
  expect(await readExport(db(), actor, other)).toMatchObject({ status: "done" });
});

test("nobody else finds an export, and what was written for a place goes with it", async () => {
  const leaver = await somebody("bea");
  const own = await createReport(db(), leaver, { name: "Own", question: "", visibility: "private" });
  const id = await createExport(db(), leaver, { reportId: own, asked: ASKED, format: "csv" });
  await writeExports(db(), GO);
  await expect(readExport(db(), actor, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(cancelExport(db(), actor, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await openExport(db(), leaver, id)).toMatchObject({ rows: 0 });
  await books.sql("UPDATE app_user SET role = 'viewer' WHERE id = $1", [leaver.userId]);
  await expect(readExport(db(), leaver, id)).rejects.toMatchObject({ code: "not_found" });
});

test.each([
  ["role", "role = 'viewer'"],
  ["department", "department_id = $2"],
  ["organisation", "organisation_id = $3"],
  ["status", "status = 'suspended'"],
])("a file, written or waiting, is deleted when its person's %s changes", async (part, change) => {
  const leaver = await somebody(`leaver-${part}`);
  const other = await somebody(`other-${part}`);
  const [department] = await books.sql<{ id: number }>(
    "INSERT INTO department (name, organisation_id) VALUES ('Labs', $1) RETURNING id",
    [leaver.organisationId],
  );
  const reports = { leaver: 0, other: 0 };
  for (const [name, person] of [
    ["leaver", leaver],
    ["other", other],
  ] as const)
    reports[name] = await createReport(db(), person, { name: "Own", question: "", visibility: "private" });
  const askAs = (person: Actor, id: number) =>
    createExport(db(), person, { reportId: id, asked: ASKED, format: "csv" });
  await askAs(leaver, reports.leaver);
  const kept = await askAs(other, reports.other);
  await writeExports(db(), GO);
  await askAs(leaver, reports.leaver);
  expect(await listExports(db(), leaver)).toHaveLength(2);
  await books.sql(`UPDATE app_user SET ${change} WHERE id = $1 AND ($2::int, $3::int) IS NOT NULL`, [
    leaver.userId,
    department!.id,
    other.organisationId,
  ]);
  expect(await books.sql("SELECT id FROM report_export WHERE user_id = $1", [leaver.userId])).toEqual([]);
  expect(await listExports(db(), other)).toMatchObject([{ id: kept, status: "done" }]);
});

test("without the trigger that deletes them, files of another place are not listed, and none is written for somebody suspended", async () => {
  const leaver = await somebody("second-line");
  const { organisationId } = await somebody("new-place");
  const own = await createReport(db(), leaver, { name: "Own", question: "", visibility: "private" });
  const askAsLeaver = () => createExport(db(), leaver, { reportId: own, asked: ASKED, format: "csv" });
  const written = await askAsLeaver();
  await writeExports(db(), GO);
  const waiting = await askAsLeaver();
  await books.sql("ALTER TABLE app_user DISABLE TRIGGER app_user_drop_report_exports");
  try {
    await books.sql("UPDATE app_user SET status = 'suspended' WHERE id = $1", [leaver.userId]);
    expect(await writeExports(db(), GO)).toBe(0);
    expect(await readExport(db(), leaver, waiting)).toMatchObject({ status: "failed", problem: "no_access" });
    await books.sql("UPDATE app_user SET organisation_id = $2 WHERE id = $1", [leaver.userId, organisationId]);
    expect(await books.sql("SELECT 1 FROM report_export WHERE id = $1", [written])).toHaveLength(1);
    expect(await listExports(db(), { ...leaver, organisationId })).toEqual([]);
    await expect(readExport(db(), { ...leaver, organisationId }, written)).rejects.toMatchObject({ code: "not_found" });
  } finally {
    await books.sql("ALTER TABLE app_user ENABLE TRIGGER app_user_drop_report_exports");
  }
});

test("twenty files of a person are kept, the newest, and nobody else's go for them", async () => {
  const [collector, other] = [await somebody("collector"), await somebody("bystander")];
  const fill = (person: Actor, digit: string) =>
    books.sql(
      `INSERT INTO report_export (id, user_id, organisation_id, name, asked, as_of, admin_mode, format, status, sha256, created_at, expires_at)
       SELECT 'exp_' || $3 || lpad(n::text, 23, '0'), $1, $2, 'Old', '{}', now(), false, 'csv', 'done', 'x', now() - make_interval(hours => n),
              now() + interval '1 day'
         FROM generate_series(1, 22) n`,
      [person.userId, person.organisationId, digit],
    );
  await fill(collector, "a");
  await fill(other, "b");
  const own = await createReport(db(), collector, { name: "Own", question: "", visibility: "private" });
  const id = await createExport(db(), collector, { reportId: own, asked: ASKED, format: "csv" });
  const idsOf = async (person: Actor) =>
    (
      await books.sql<{ id: string }>("SELECT id FROM report_export WHERE user_id = $1 ORDER BY created_at DESC", [
        person.userId,
      ])
    ).map((row) => row.id);
  const old = Array.from({ length: 19 }, (_, index) => `exp_a${String(index + 1).padStart(23, "0")}`);
  expect(await idsOf(collector)).toEqual([id, ...old]);
  expect(await idsOf(other)).toHaveLength(22);
  await cancelExport(db(), collector, id);
});

test("files that have expired are deleted", async () => {
  await ask("csv");
  await writeExports(db(), GO);
  await books.sql("UPDATE report_export SET expires_at = app_now() WHERE status = 'done'");
  expect(await listExports(db(), actor)).not.toContainEqual(expect.objectContaining({ status: "done" }));
  expect(await purgeExports(db(), 100)).toBeGreaterThan(0);
  expect(await books.sql("SELECT count(*)::int AS n FROM report_export_piece")).toEqual([{ n: 0 }]);
});

test("a file is one snapshot: what is settled while it is written is not in it", async () => {
  // The embedded database has a single shared session, so an export cannot use a snapshot.
  if (isEmbedded()) return;
  const id = await ask("csv");
  const { onSnapshot } = await import("~/connection/db.server");
  const sums = async (snapshot: Parameters<Parameters<typeof onSnapshot>[0]>[0]) =>
    snapshot.$queryRaw<{ n: number }[]>`SELECT sum(requests)::int AS n FROM usage_hour WHERE key_id = 1`;
  const [before, during] = await onSnapshot(async (snapshot) => {
    const first = await sums(snapshot);
    await books.sql("UPDATE usage_hour SET requests = requests + 1 WHERE key_id = 1");
    return [first, await sums(snapshot)];
  });
  expect(during).toEqual(before);
  expect((await sums(db()))[0]?.n).toBe((before?.[0]?.n ?? 0) + HOURS);
  await cancelExport(db(), actor, id);
});

test("a snapshot gives the rows of a query so many at a time, those of several queries by turns", async () => {
  if (isEmbedded()) return;
  const { onSnapshot } = await import("~/connection/db.server");
  const numbers = (to: number) => Prisma.sql`SELECT n FROM generate_series(1, ${to}::int) n`;
  const sizes = await onSnapshot(async ({ pagesOf }) => {
    const other = pagesOf!<{ n: number }>(numbers(4), 2);
    const found: number[][] = [];
    for await (const page of pagesOf!<{ n: number }>(numbers(7), 3)) {
      found.push(page.map(({ n }) => n));
      found.push(((await other.next()).value ?? []).map(({ n }) => n));
    }
    return found;
  });
  expect(sizes).toEqual([[1, 2, 3], [1, 2], [4, 5, 6], [3, 4], [7], []]);
});
