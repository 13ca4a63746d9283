import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError } from "~/config/error";
import { db, newSqlClient, newTablesClient, sqlPool } from "~/connection/db.server";
import { canMakeClusters, makeCluster, type OwnCluster } from "../../tests/support/own-cluster";
import { closeDatabase, startDatabase } from "./start.server";

/** A server with TLS; its certificate is for localhost and from an authority of its own. */
describe.runIf(process.env.TEST_DATABASE_URL && canMakeClusters)("an address finds a server", () => {
  let cluster: OwnCluster;
  const files = mkdtempSync(join(tmpdir(), "gw-tls-"));
  const file = (name: string) => join(files, name);

  beforeAll(async () => {
    makeCertificates(files);
    cluster = await makeCluster();
    const [certificate, key, authority] = ["server.pem", "server.key", "ca.pem"].map((name) =>
      cluster.write(name, readFileSync(file(name), "utf8")),
    );
    cluster.set({ ssl_cert_file: certificate!, ssl_key_file: key!, ssl_ca_file: authority!, ssl: "on" });
    cluster.admit([
      "local all all trust",
      "hostssl all tls_only 127.0.0.1/32 scram-sha-256",
      "hostnossl all plain_only 127.0.0.1/32 scram-sha-256",
      "hostssl all carded 127.0.0.1/32 cert",
      "host all either,postgres 127.0.0.1/32 scram-sha-256",
    ]);
    cluster.restart();
    const admin = new pg.Client({ host: cluster.folder, port: cluster.port, user: "postgres", database: "postgres" });
    await admin.connect();
    for (const role of ["tls_only", "plain_only", "carded", "either"])
      await admin.query(
        `CREATE ROLE ${role} LOGIN PASSWORD 'p#ss/w?rd@%'; CREATE SCHEMA ${role} AUTHORIZATION ${role}`,
      );
    await admin.query("CREATE DATABASE gw OWNER either");
    await admin.end();
  }, 60_000);
  afterAll(() => {
    cluster?.remove();
    rmSync(files, { recursive: true, force: true });
  });

  const address = (role: string, query: string, host = "localhost", database = "postgres") =>
    `postgresql://${role}:${encodeURIComponent("p#ss/w?rd@%")}@${host}:${cluster.port}/${database}?${query.replaceAll("CA", file("ca.pem"))}`;

  /** Whether the connection is encrypted, or the error. */
  const outcomeOf = async (url: string): Promise<boolean | string> => {
    try {
      const client = await newTablesClient(url);
      const { rows } = await client.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
      await client.end();
      return rows[0].ssl;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const reasons = {
    authority: expect.stringContaining("add sslrootcert=<file of its authority> to the address"),
    name: expect.stringContaining("sslmode=verify-ca with sslrootcert"),
    plain: expect.stringContaining("sslmode=disable in the address forbids TLS"),
    notTls: expect.stringMatching(/no pg_hba.conf entry .* SSL encryption/),
    without: expect.stringContaining("sslmode=prefer goes on without TLS"),
  };

  test.each([
    ["either", "", "localhost", false],
    ["tls_only", "", "localhost", true],
    ["plain_only", "", "localhost", false],
    ["either", "sslmode=disable", "localhost", false],
    ["tls_only", "sslmode=disable", "localhost", reasons.plain],
    ["either", "sslmode=allow", "localhost", false],
    ["tls_only", "sslmode=allow", "localhost", true],
    ["either", "sslmode=prefer", "localhost", true],
    ["plain_only", "sslmode=prefer", "localhost", false],
    ["either", "sslmode=no-verify", "localhost", true],
    ["plain_only", "sslmode=no-verify", "localhost", reasons.notTls],
    ["either", "sslmode=require", "localhost", reasons.authority],
    ["either", "ssl=true", "localhost", reasons.authority],
    ["either", "sslmode=require&sslrootcert=CA", "localhost", true],
    ["either", "sslmode=require&sslaccept=accept_invalid_certs", "localhost", true],
    ["either", "sslmode=verify-ca&sslrootcert=CA", "127.0.0.1", true],
    ["either", "sslmode=verify-full&sslrootcert=CA", "localhost", true],
    ["either", "sslmode=verify-full&sslrootcert=CA", "127.0.0.1", reasons.name],
    ["either", "sslmode=require&channel_binding=require&sslrootcert=CA", "localhost", true],
  ])("with TLS, as %s with %j at %s: %s", async (role, query, host, outcome) => {
    expect(await outcomeOf(address(role, query, host))).toEqual(outcome);
  });

  test("with a client's certificate in place of a password", async () => {
    const query = `sslmode=verify-full&sslrootcert=CA&sslcert=${file("carded.pem")}&sslkey=${file("carded.key")}`;
    expect(await outcomeOf(address("carded", query))).toBe(true);
    expect(await outcomeOf(address("carded", "sslmode=verify-full&sslrootcert=CA"))).toMatch(/certificate/);
  });

  test("by its socket, whatever the address says of TLS", async () => {
    const folder = encodeURIComponent(cluster.folder);
    expect(await outcomeOf(`postgresql://postgres@/postgres?host=${folder}&port=${cluster.port}&sslmode=require`)).toBe(
      false,
    );
    expect(await outcomeOf(`postgres://postgres@${folder}:${cluster.port}/postgres`)).toBe(false);
  });

  test("a wrong password is told as such, however TLS is tried", async () => {
    for (const mode of ["", "sslmode=prefer", "sslmode=allow"]) {
      const url = address("tls_only", mode).replace(/:[^:@]*@/, ":wrong@");
      expect(await outcomeOf(url)).toBe('password authentication failed for user "tls_only"');
      expect(await outcomeOf(url.replace(":wrong", ""))).toMatch(/the address has none/);
    }
  });

  test("and all kinds of connections agree: migrations, Prisma, the pool and notifications", async () => {
    const databaseUrl = address("either", "sslmode=verify-ca&sslrootcert=CA&connect_timeout=30", "127.0.0.1", "gw");
    await startDatabase({ databaseUrl, databaseMigrationUrl: null, databasePoolSize: 2, dataDir: files });
    try {
      const sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      expect(await db().$queryRawUnsafe(sql)).toEqual([{ ssl: true }]);
      expect((await sqlPool().query(sql)).rows).toEqual([{ ssl: true }]);
      const client = await newSqlClient();
      expect((await client.query(sql)).rows).toEqual([{ ssl: true }]);
      await client.end();
    } finally {
      await closeDatabase();
    }
    const unread = address("either", `sslmode=verify-full&sslrootcert=${file("none")}`, "localhost", "gw");
    await expect(
      startDatabase({ databaseUrl: unread, databaseMigrationUrl: null, databasePoolSize: 2, dataDir: files }),
    ).rejects.toThrow(ConfigError);
  }, 60_000);

  // Must be the last test, because it changes the server.
  test("that has no TLS, and is found again when it has it", async () => {
    const modes = ["", "sslmode=allow", "sslmode=prefer", "sslmode=disable"];
    cluster.set({ ssl: "off" });
    cluster.restart();
    for (const mode of modes) expect(await outcomeOf(address("either", mode))).toBe(false);
    for (const mode of ["sslmode=require", "sslmode=no-verify", "sslmode=verify-full&sslrootcert=CA"])
      expect(await outcomeOf(address("either", mode))).toEqual(reasons.without);
    cluster.set({ ssl: "on" });
    cluster.restart();
    cluster.admit(["hostssl all all 127.0.0.1/32 scram-sha-256"]);
    cluster.reload();
    const encrypted = await Promise.all(modes.map((mode) => outcomeOf(address("either", mode))));
    expect(encrypted).toEqual([true, true, true, reasons.plain]);
  });
});

/** Creates an authority, a server certificate for localhost and a client certificate with `openssl`. */
function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=An authority");
  for (const [name, subject] of [
    ["server", "localhost"],
    ["carded", "carded"],
  ] as const) {
    openssl("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${subject}`);
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=DNS:${subject}\n`);
    openssl(
      ...["x509", "-req", "-in", `${name}.csr`, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
      ...["-out", `${name}.pem`, "-days", "2", "-extfile", `${name}.ext`],
    );
  }
}
