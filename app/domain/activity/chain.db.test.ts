import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, db, isEmbedded, newSqlClient } from "~/connection/db.server";
import { hardDelete } from "~/domain/people/index.server";
import { anActor, anOrganisation, aPerson } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { describeAuditLog, expectedHead, isSound, recordAuditEvent, verifyAuditLog } from "./index.server";

let database: TestDatabase;
beforeAll(async () => {
  database = await openFreshDatabase();
  for (let n = 1; n <= 20; n += 1) await record(`thing ${n}`);
});
afterAll(() => database.close());

function record(label: string, on: Db = db()): Promise<void> {
  return recordAuditEvent(on, {
    by: { userId: 7, label: "ann@example.com", address: "192.0.2.1" },
    action: "key.update",
    target: { kind: "thing", id: 1, label },
    organisationId: 1,
    departmentId: 2,
    subjectUserId: 3,
    before: { amount: 1n },
    after: { amount: 2n },
  });
}

// Small ranges, so that defects across the boundary of two ranges are covered too.
const verify = (on: Db = db(), expected?: string) => verifyAuditLog(on, { expected, entriesAtOnce: 6 });

/** Result of the verification after `tampering` by a superuser, which is then rolled back. */
async function foundAfter(...tampering: string[]) {
  let report: Awaited<ReturnType<typeof verify>> | null = null;
  const { head } = await verify();
  const undone = new Error("undone");
  const attempt = db().$transaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    for (const sql of tampering) expect(await tx.$executeRawUnsafe(sql), sql).toBeGreaterThan(0);
    report = await verify(tx, head?.hash);
    throw undone;
  });
  await expect(attempt).rejects.toBe(undone);
  return report!;
}
const kindsAfter = async (...tampering: string[]) => [
  ...new Set((await foundAfter(...tampering)).defects.map(({ defect }) => defect)),
];

const swap = (one: number, other: number) => [
  `UPDATE audit_chain SET position = -1 WHERE position = ${one}`,
  `UPDATE audit_chain SET position = ${one} WHERE position = ${other}`,
  `UPDATE audit_chain SET position = ${other} WHERE position = -1`,
];
const EVENT_9 = "(SELECT act_id FROM audit_chain WHERE position = 9)";
const EVENT_12 = "(SELECT act_id FROM audit_chain WHERE position = 12)";

test("an audit log that nobody has touched is sound", async () => {
  const report = await verify();
  expect(report).toMatchObject({ entries: 20n, redactions: 0n, defectCount: 0n, head: { position: 20n } });
  expect(isSound(report)).toBe(true);
  expect(describeAuditLog(report)).toContain(`audit log head: entry 20, ${report.head?.hash}`);
});

test("every column of an event is covered: changing any one of them is found", async () => {
  const columns = await db().$queryRaw<{ name: string; type: string }[]>`
    SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'act' AND column_name <> 'id'`;
  const changed: Record<string, string> = {
    text: "'changed'",
    integer: "4711",
    jsonb: `'{"changed": true}'`,
    uuid: "gen_random_uuid()",
    "timestamp with time zone": "now() - interval '1 microsecond'",
  };
  expect(columns.length).toBeGreaterThan(12);
  for (const { name, type } of columns) {
    const kinds = await kindsAfter(`UPDATE act SET ${name} = ${changed[type]} WHERE id = ${EVENT_9}`);
    expect(kinds, name).toEqual(["event_changed"]);
  }
});

test.each<[string, string[], string[]]>([
  ["an event that was removed", [`DELETE FROM act WHERE id = ${EVENT_9}`], ["event_missing"]],
  [
    "an event that was removed with its entry",
    [`DELETE FROM act WHERE id = ${EVENT_9}`, "DELETE FROM audit_chain WHERE position = 9"],
    ["entries_missing"],
  ],
  [
    "an event that was removed with its entry, and the entries behind it moved up",
    [
      `DELETE FROM act WHERE id = ${EVENT_9}`,
      "DELETE FROM audit_chain WHERE position = 9",
      "UPDATE audit_chain SET position = -position WHERE position > 9",
      "UPDATE audit_chain SET position = -position - 1 WHERE position < 0",
    ],
    ["order_changed"],
  ],
  [
    "an event that was inserted past the chain",
    ["INSERT INTO act (actor_label, action, target_kind, target_id) VALUES ('nobody', 'x', 'x', '1')"],
    ["event_unchained"],
  ],
  [
    "an event that was inserted with an entry",
    [
      "INSERT INTO act (actor_label, action, target_kind, target_id) VALUES ('nobody', 'x', 'x', '1')",
      `INSERT INTO audit_chain SELECT 21, a.id, act_fixed_digest(a), act_redactable_digest(a), sha256('guess') FROM act a
        WHERE actor_label = 'nobody'`,
    ],
    ["order_changed"],
  ],
  ["entries that changed places", swap(9, 12), ["order_changed"]],
  ["entries that changed places across an edge", swap(6, 7), ["order_changed"]],
  [
    "events that changed places",
    [
      `UPDATE act SET id = -1 WHERE id = ${EVENT_9}`,
      `UPDATE act SET id = ${EVENT_9} WHERE id = ${EVENT_12}`,
      `UPDATE act SET id = ${EVENT_12} WHERE id = -1`,
    ],
    ["event_changed"],
  ],
  [
    "an event that was changed together with its entry",
    [
      `UPDATE act SET action = 'innocent' WHERE id = ${EVENT_9}`,
      "UPDATE audit_chain c SET fixed_digest = act_fixed_digest(a) FROM act a WHERE a.id = c.act_id AND c.position = 9",
    ],
    ["order_changed"],
  ],
  [
    "a redaction without its entry",
    [`UPDATE act SET actor_label = 'Person 7', salt = gen_random_uuid() WHERE id = ${EVENT_9}`],
    ["event_changed"],
  ],
  ["the beginning cut off", ["DELETE FROM audit_chain WHERE position < 4"], ["entries_missing", "event_unchained"]],
  ["the end of the chain cut off", ["DELETE FROM audit_chain WHERE position > 17"], ["event_unchained"]],
])("finds %s", async (_, tampering, kinds) => {
  const report = await foundAfter(...tampering);
  expect([...new Set(report.defects.map(({ defect }) => defect))].toSorted()).toEqual(kinds);
  expect(isSound(report)).toBe(false);
});

test("an end that was cut off events and chain alike is found by the head that was noted before", async () => {
  const report = await foundAfter(
    "DELETE FROM act WHERE id IN (SELECT act_id FROM audit_chain WHERE position > 17)",
    "DELETE FROM audit_chain WHERE position > 17",
  );
  expect(report).toMatchObject({ defectCount: 0n, holdsExpected: false });
  expect(isSound(report)).toBe(false);
  expect(describeAuditLog(report)).toContain("does not hold the expected head");
});

test("a head that was noted stays in the chain while it grows", async () => {
  const { head } = await verify();
  await record("later");
  const report = await verify(db(), head?.hash);
  expect(report.holdsExpected).toBe(true);
  expect(report.head?.hash).not.toBe(head?.hash);
  expect(isSound(report)).toBe(true);
});

test("what is rolled back leaves no gap, and no entry", async () => {
  const before = await verify();
  const undone = new Error("undone");
  const attempt = db().$transaction(async (tx) => {
    await record("never", tx);
    throw undone;
  });
  await expect(attempt).rejects.toBe(undone);
  await record("after it");
  const after = await verify();
  expect(after.entries).toBe(before.entries + 1n);
  expect(after.defectCount).toBe(0n);
});

test("two hundred acts at the same time make one gapless chain", async () => {
  const before = await verify();
  const clients = await Promise.all(Array.from({ length: isEmbedded() ? 2 : 20 }, () => newSqlClient()));
  try {
    await Promise.all(
      clients.map(async (client, at) => {
        for (let n = 0; n < 200 / clients.length; n += 1) {
          await client.query("BEGIN");
          const insert = "INSERT INTO act (actor_label, action, target_kind, target_id) VALUES ($1, 'x', 'x', $2)";
          await client.query(insert, [`client ${at}`, String(n)]);
          // One in four has two events, and one in eight is rolled back.
          if (n % 4 === 0) await client.query(insert, [`client ${at} again`, String(n)]);
          await client.query(n % 8 === 7 ? "ROLLBACK" : "COMMIT");
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  const after = await verify();
  const [row] = await db().$queryRaw<{ n: bigint }[]>`SELECT count(*) AS n FROM act`;
  expect(after.defects).toEqual([]);
  expect(after.entries).toBe(row!.n);
  expect(after.entries).toBeGreaterThan(before.entries + 180n);
});

test("a deleted person leaves a chain that is sound, and digests that nobody can guess at", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const person = await aPerson(home.id, "member", { name: "Canary Bird", email: "canary@example.com" });
  const by = { userId: person.id, label: person.email, address: "192.0.2.9" };
  await recordAuditEvent(db(), {
    by,
    action: "user.name",
    target: { kind: "user", id: person.id },
    organisationId: home.id,
  });
  const { head } = await verify();
  const [saltBefore] = await db().$queryRaw<{ salt: string }[]>`SELECT salt FROM act WHERE actor_id = ${person.id}`;
  await hardDelete(db(), admin, person.id, person.email);
  const [after] = await db().$queryRaw<{ salt: string; actor_label: string; address: string }[]>`
    SELECT salt, actor_label, address FROM act WHERE actor_id = ${person.id}`;
  expect(after).toMatchObject({ actor_label: `Person ${person.id}`, address: "" });
  expect(after?.salt).not.toBe(saltBefore?.salt);
  const report = await verify(db(), head?.hash);
  expect(report).toMatchObject({ defectCount: 0n, redactions: 1n, holdsExpected: true });
  expect(describeAuditLog(report)).toContain(", 1 of them redactions");
  // Events that other people caused about the person keep the network address of their author.
  const [deletion] = await db().$queryRaw<{ address: string }[]>`
    SELECT address FROM act WHERE target_id = ${String(person.id)} AND actor_id = ${admin.userId}`;
  expect(deletion?.address).toBe(admin.address);
  // A redacted event is verified against its newest entry.
  for (const change of ["actor_label = 'Canary Bird'", "address = '192.0.2.9'", `after = '{"name": "x"}'`])
    expect(await kindsAfter(`UPDATE act SET ${change} WHERE actor_id = ${person.id}`), change).toEqual([
      "event_changed",
    ]);
});

test("nobody is given a pseudonym who is not deleted", async () => {
  const person = await aPerson((await anOrganisation()).id, "member");
  await expect(db().$queryRaw`SELECT act_pseudonymise(${person.id}::int, ${person.email}, 'x', 'y')`).rejects.toThrow(
    /is not deleted/,
  );
});

test.each([
  ["an entry is changed", "UPDATE audit_chain SET hash = hash"],
  ["an entry is deleted", "DELETE FROM audit_chain"],
  ["the chain is emptied", "TRUNCATE audit_chain"],
  ["an entry is written by hand", "INSERT INTO audit_chain VALUES (4711, 1, '', '', '')"],
])("the database refuses that %s", async (_, sql) => {
  await expect(db().$executeRawUnsafe(sql)).rejects.toThrow(/append-only|written by the events/);
});

test("a command that asks for anything but a hash says how it is used", () => {
  const hash = "0a".repeat(32);
  expect(expectedHead([])).toBeUndefined();
  expect(expectedHead(["--expect", hash])).toBe(hash);
  for (const words of [["--expect"], ["--expect", "xyz"], ["--expcet", hash], ["--expect", hash, "more"]])
    expect(() => expectedHead(words)).toThrow(/Usage/);
});
