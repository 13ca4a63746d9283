import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigError } from "~/config/error";
import { attachDatabase, migrateAndVerify } from "../start.server";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "gw-attach-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("a command that looks at the data of a folder without any says so, and makes none", async () => {
  for (const folder of [dataDir, join(dataDir, "mistyped"), "/proc/gw"]) {
    const attached = attachDatabase({
      databaseUrl: null,
      databaseMigrationUrl: null,
      databasePoolSize: 2,
      dataDir: folder,
    });
    await expect(attached).rejects.toThrow(`there is no database in DATA_DIR ${folder}`);
  }
  expect(readdirSync(dataDir)).toEqual([]);
});

test("a database that cannot be reached is told in one line, without its password", async () => {
  const problem = await migrateAndVerify({
    url: "postgresql://gw:hunter2@127.0.0.1:1/gw",
    embedded: false,
    migrationUrl: null,
  }).catch((it) => it);
  expect(problem).toBeInstanceOf(ConfigError);
  expect(problem.message).toBe("the database does not answer: connect ECONNREFUSED 127.0.0.1:1");
});
