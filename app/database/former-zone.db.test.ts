import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTablesClient } from "~/db.server";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";
import { formerZone } from "./former-zone";

describe.runIf(process.env.TEST_DATABASE_URL)("the zone in which earlier releases have written", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  const zoneOf = async () => {
    const client = await newTablesClient(database.url);
    try {
      return await formerZone(client);
    } finally {
      await client.end();
    }
  };
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  const setZone = (zone: string) =>
    run(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = '${zone}'`);

  test("is told where it was another than UTC and the installation is older than this release", async () => {
    await setZone("Asia/Kolkata");
    expect(await zoneOf()).toBeNull();
    await run(
      "UPDATE _prisma_migrations SET finished_at = finished_at - interval '1 day' WHERE migration_name < '20261129'",
    );
    expect(await zoneOf()).toBe("Asia/Kolkata");
    // It is an hour off for half of the year.
    await setZone("Europe/London");
    expect(await zoneOf()).toBe("Europe/London");
    for (const zone of ["UTC", "Etc/UTC", "Africa/Abidjan"]) {
      await setZone(zone);
      expect(await zoneOf()).toBeNull();
    }
  });
});
