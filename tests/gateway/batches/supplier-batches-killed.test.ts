import { describe, expect, test } from "vitest";
import { begin, clientOf, idsOf, linesFor, linesOf, over, QUIET, startBulkGateway } from "../../support/bulk-gateway";
import { eventually, expectCleanBooks, priceOf } from "../../support/chat-gateway";
import { freshDatabase } from "../../support/database";
import { startStandIn } from "../../support/stand-in-supplier";

describe("a process that is killed", () => {
  test.concurrent.each(["list", "upload", "create", "read", "content", "forget"])(
    "while its supplier answers a %s: the next one goes on, and every line is worked and charged once",
    async (step) => {
      const database = await freshDatabase();
      // The embedded database ends with its process.
      if (database.embedded) return database.close();
      const standIn = await startStandIn();
      const env = { GW_HOLD_LEASE_SECONDS: "2" };
      const first = await startBulkGateway({ database, standIn, env });
      const client = clientOf(first, first.budgetKey);
      await standIn.plan({ batch: { ...QUIET, delayMs: { [step]: 3_000 } } });
      const made = await begin(client, linesFor(20));
      await eventually(
        async () => (await standIn.seen()).requests.map(({ fault }) => fault),
        (seen) => seen.includes(step),
        30_000,
      );
      await first.kill("SIGKILL");
      await standIn.plan({ batch: QUIET });
      const more = { database, standIn, env, dataDir: first.dataDir, adminKey: first.adminKey };
      const second = await startBulkGateway(more);
      const again = clientOf(second, first.budgetKey);
      const batch = await over(again, made.id, 150_000);
      expect(batch).toMatchObject({ status: "completed", request_counts: { total: 20, completed: 20, failed: 0 } });
      const done = await linesOf(again, batch.output_file_id);
      const worked = await standIn.bill();
      expect(worked).toHaveLength(20);
      const rows = await eventually(
        () => second.sql("SELECT request_id::text AS id, charged::int FROM usage_event WHERE charged > 0"),
        (all) => all.length >= 20,
      );
      expect(rows.map(({ id }) => id).toSorted()).toEqual(worked.map(({ id }) => id).toSorted());
      for (const { id, promptTokens, completionTokens } of worked)
        expect(rows.find((row) => row.id === id)?.charged).toBe(Number(priceOf(promptTokens, completionTokens) / 2n));
      expect(idsOf(done)).toEqual(rows.map(({ id }) => id).toSorted());
      expect(await second.sql("SELECT state FROM hold WHERE state NOT IN ('settled', 'released')")).toEqual([]);
      await expectCleanBooks(second);
      await second.close();
      await first.close();
      await standIn.close();
      await database.close();
    },
    240_000,
  );
});
