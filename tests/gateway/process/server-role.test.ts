import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connection } from "~/connection/db.server";
import { freshDatabase } from "../../support/database";
import { freePort, type Gateway } from "../../support/gateway";
import { OWNER_PASSWORD, type Portal, startPortal } from "../../support/portal";

// Two roles on one database: one owns the tables and migrates, the other runs the server.
const source = inject("testDatabases");
const name = `gw_test_${randomBytes(8).toString("hex")}`;
const owner = `${name}_owner`;
const server = `${name}_server`;
const GW_SECRET = "a-secret-for-tests-only-0123456789abcdef";

function address(role: string | null): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  url.pathname = `/${name}`;
  if (role !== null) [url.username, url.password] = [role, role];
  return url.href;
}

async function ask(url: string, ...statements: string[]) {
  const client = new pg.Client(connection(url));
  await client.connect();
  try {
    let rows: pg.QueryResultRow[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

type Done = { code: number; out: string };

/** Runs a command of this program under the server's role. */
function run(script: string, words: string[] = [], env: Record<string, string> = {}): Promise<Done> {
  const dataDir = mkdtempSync(join(tmpdir(), "gw-role-"));
  const { PATH = "", HOME = "" } = process.env;
  const settings = { PATH, HOME, DATA_DIR: dataDir, GW_SECRET, DATABASE_URL: address(server), ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [`scripts/${script}.mjs`, ...words], { env: settings }, (problem, out, err) => {
      rmSync(dataDir, { recursive: true, force: true });
      resolve({ code: problem === null ? 0 : Number(problem.code), out: `${out}${err}` });
    });
  });
}

/** Starts a server that fails at start. Returns its last output line and its exit code. */
async function startAndFail(env: Record<string, string>): Promise<Done> {
  const dataDir = mkdtempSync(join(tmpdir(), "gw-role-"));
  const { PATH = "", HOME = "" } = process.env;
  const PORT = String(await freePort());
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { PATH, HOME, DATA_DIR: dataDir, GW_SECRET, PORT, ...env },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (out += text));
  const code = await new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  rmSync(dataDir, { recursive: true, force: true });
  return { code, out };
}

describe.skipIf(source.kind === "embedded")("a server whose role owns nothing", () => {
  const admin = () => process.env.TEST_DATABASE_URL as string;
  let portal: Portal;
  let gateway: Gateway;

  beforeAll(async () => {
    await ask(
      admin(),
      ...[owner, server].map((role) => `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`),
      `CREATE DATABASE ${name} OWNER ${owner}`,
    );
  });
  afterAll(async () => {
    await portal?.close();
    await ask(admin(), `DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${owner}`, `DROP ROLE ${server}`);
  });

  test("does not start before the owner has migrated, and says so in one line", async () => {
    const { code, out } = await startAndFail({ DATABASE_URL: address(server) });
    expect(code).toBe(1);
    expect(out.trim()).toMatch(
      new RegExp(
        `^the database could not be migrated: .* the role ${server} may not create tables; set DATABASE_MIGRATION_URL .*$`,
      ),
    );
  });

  test("an address that leads nowhere, or to another database, is one line that names the setting", async () => {
    const nowhere = await startAndFail({
      DATABASE_URL: address(server),
      DATABASE_MIGRATION_URL: "postgresql://gw:hunter2@127.0.0.1:1/gw",
      DATABASE_WAIT_SECONDS: "0",
    });
    expect(nowhere.out.trim()).toBe(
      "the database of DATABASE_MIGRATION_URL does not answer: connect ECONNREFUSED 127.0.0.1:1",
    );
    expect(nowhere.code).toBe(1);
    const other = await freshDatabase();
    try {
      const elsewhere = await startAndFail({ DATABASE_URL: address(server), DATABASE_MIGRATION_URL: other.url });
      expect(elsewhere.out.trim()).toMatch(
        /^the database of DATABASE_URL has no .*: DATABASE_MIGRATION_URL leads to another database$/m,
      );
      expect(elsewhere.code).toBe(1);
    } finally {
      await other.close();
    }
  });

  test("`npm run migrate` migrates with the one role and gives the other one what it needs; again it has nothing to do", async () => {
    const DATABASE_MIGRATION_URL = address(owner);
    const first = await run("migrate", [], { DATABASE_MIGRATION_URL });
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining("audit_chain") });
    expect(first.out).toContain("the server's role was given its rights");
    expect(await run("migrate", [], { DATABASE_MIGRATION_URL })).toEqual({
      code: 0,
      out: "The database is up to date.\n",
    });
    expect(await run("grants", [server])).toEqual({ code: 0, out: "" });
  });

  test("serves: a paid call, a sign-in, a key, a person deleted for good", async () => {
    const database = {
      url: address(null),
      serverUrl: address(server),
      embedded: false,
      functions: "",
      close: async () => undefined,
    };
    portal = await startPortal({ database });
    gateway = portal.gateway;
    const browser = portal.visitor();
    const signedIn = await browser.post("/auth/login", { email: "owner@example.com", password: OWNER_PASSWORD });
    expect(signedIn.status).toBe(303);

    const organisationId = await portal.addOrganisation("Payers");
    const payer = await portal.signInAs("org_admin", { organisationId });
    const [{ id: walletId }] = await gateway.sql(
      "SELECT id FROM ledger_account WHERE kind = 'wallet' AND organisation_id = $1",
      [organisationId],
    );
    await gateway.sql("SELECT wallet_post($1, 'adjustment', 1000000000, 'adjustment', 'gift', 'test', '')", [walletId]);
    const made = await payer.browser.post("/dashboard/keys/new", { name: "mine" }, { json: true });
    const { key } = (await made.json()) as { key: string };
    const call = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "once" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(call.status).toBe(200);
    await expect
      .poll(
        async () =>
          (await gateway.sql("SELECT posted < 1000000000 AS paid FROM ledger_account WHERE id = $1", [walletId]))[0]
            .paid,
      )
      .toBe(true);

    const person = await portal.addPerson({ organisationId, name: "Canary Bird" });
    const deleted = await payer.browser.post(`/dashboard/admin/users/${person.userId}/hard-delete`, {
      confirm: person.email,
    });
    expect(deleted.status).toBeLessThan(400);
    expect(await gateway.sql("SELECT status FROM app_user WHERE id = $1", [person.userId])).toEqual([
      { status: "deleted" },
    ]);
  });

  test("its commands work: the audit finds all sound, and there is nothing to review", async () => {
    const audit = await run("audit");
    expect(audit.out).toContain("ledger: sound");
    expect(audit.out).toMatch(/audit log: sound, \d+ entries/);
    const head = /audit log head: entry \d+, ([0-9a-f]{64})/.exec(audit.out)?.[1] as string;
    expect((await run("audit", ["--expect", head])).code).toBe(0);
    expect((await run("audit", ["--expect", "0".repeat(64)])).code).toBe(1);
    expect(await run("reviews")).toEqual({ code: 0, out: "No call is in review.\n" });
  });

  test.each([
    ["switch a guard off", "ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only", "must be owner"],
    ["switch all guards off", "SET session_replication_role = replica", "permission denied"],
    ["drop a table", "DROP TABLE act", "must be owner"],
    ["make a table", "CREATE TABLE mine (id int)", "permission denied"],
    [
      "replace a function",
      "CREATE OR REPLACE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
      "permission denied",
    ],
    ["delete from the ledger", "DELETE FROM ledger_entry", "permission denied"],
    ["empty the ledger", "TRUNCATE ledger_entry, ledger_txn CASCADE", "permission denied"],
    ["write a balance", "UPDATE ledger_account SET posted = 1", "permission denied"],
    ["change an event", "UPDATE act SET actor_label = 'x'", "permission denied"],
    [
      "say that it pseudonymises, and change an event",
      "SELECT set_config('gw.pseudonym', 'on', false); UPDATE act SET actor_label = 'x'",
      "permission denied",
    ],
    ["delete an event", "DELETE FROM act", "permission denied"],
    ["write the chain", "INSERT INTO audit_chain VALUES (4711, 1, '', '', '')", "permission denied"],
    ["delete from the chain", "DELETE FROM audit_chain", "permission denied"],
    ["delete usage", "DELETE FROM usage_event", "permission denied"],
    ["recharge usage", "UPDATE usage_event SET charged = 0, txn_id = NULL", "permission denied"],
    ["say that a migration was applied", "DELETE FROM _prisma_migrations", "permission denied"],
    [
      "put the writer of balances behind a table of its own",
      "CREATE TEMP TABLE t (account_id bigint, amount bigint, account_seq bigint, balance_after bigint); CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION ledger_entry_post()",
      "permission denied",
    ],
  ])("cannot %s", async (_, sql, refusal) => {
    await expect(ask(address(server), sql)).rejects.toThrow(refusal);
  });

  test("one that lacks a right does not start, and says in one line which and what helps", async () => {
    await ask(address(owner), `REVOKE INSERT ON api_key FROM ${server}`);
    const { code, out } = await startAndFail({ DATABASE_URL: address(server) });
    expect(code).toBe(1);
    expect(out.trim()).toBe(
      `the role ${server} of DATABASE_URL lacks INSERT on api_key; npm run migrate with DATABASE_MIGRATION_URL gives it what it needs, and npm run grants prints it`,
    );
    const { out: sql } = await run("grants", [server]);
    expect(sql).toContain("public.api_key");
    await ask(address(owner), sql);
    expect(await run("grants", [server])).toEqual({ code: 0, out: "" });
    await ask(address(owner), `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${server}`);
    expect((await startAndFail({ DATABASE_URL: address(server) })).out.trim()).toMatch(
      /may not read the table _prisma_migrations/,
    );
  });

  test("a right too many is taken away by the next migration, and the owner's own role is never touched", async () => {
    await ask(address(owner), `GRANT ALL ON act TO ${server}`);
    await run("migrate", [], { DATABASE_MIGRATION_URL: address(owner) });
    await expect(ask(address(server), "UPDATE act SET actor_label = 'x'")).rejects.toThrow("permission denied");
    expect(await run("grants", [owner])).toMatchObject({ code: 1, out: expect.stringContaining("owns the tables") });
    const alike = await run("migrate", [], { DATABASE_URL: address(owner), DATABASE_MIGRATION_URL: address(owner) });
    expect(alike.out).toContain("it can switch their guards off");
    expect(await ask(address(owner), "SELECT has_table_privilege('act', 'DELETE') AS may")).toEqual([{ may: true }]);
  });
});
