import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { generateSecret } from "~/domain/keys/secrets/secret";
import { connectForTests, freshDatabase } from "../../support/database";
import { startGateway } from "../../support/gateway";

/** Longer than a transaction's default wait for a connection. */
const SLOW_MS = 7_000;

test.runIf(inject("testDatabases").kind === "postgres")(
  "a start whose database is slow in the middle waits, and no job begins before it has ended",
  async () => {
    const database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "gw-slow-start-"));
    const adminKey = generateSecret();
    const sql = await connectForTests(database, dataDir);
    try {
      // Block the first table that the start writes; jobs must not run meanwhile.
      await sql.query("BEGIN");
      await sql.query("LOCK TABLE organisation IN ACCESS EXCLUSIVE MODE");
      const starting = startGateway({ database, dataDir, adminKey });
      const waiting = async () => {
        const { rows } = await sql.query(
          "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'organisation'::regclass",
        );
        return rows.length;
      };
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      const { rows: run } = await sql.query("SELECT name FROM job WHERE started_at IS NOT NULL");
      expect(run).toEqual([]);
      await sql.query("ROLLBACK");
      const gateway = await starting;
      try {
        expect(gateway.output()).not.toMatch(/^\s+at /m);
        await expect
          .poll(() => gateway.sql("SELECT 1 FROM job WHERE started_at IS NOT NULL"), { timeout: 30_000 })
          .not.toEqual([]);
      } finally {
        await gateway.close();
      }
    } finally {
      await sql.end();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  180_000,
);
