import { expect } from "vitest";
import { db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";

/**
 * Returns the plan of each query as if `usage_event` had only this index and its primary key, and sequential scans were
 * off: the planner uses the index wherever it can. The indexes are dropped in a transaction that is rolled back.
 */
export async function plansWithIndex(index: string, queries: readonly Prisma.Sql[]): Promise<string[]> {
  const undone = new Error("undone");
  const explained = db().$transaction(async (tx) => {
    for (const { name } of await tx.$queryRaw<{ name: string }[]>`
      SELECT indexname AS name FROM pg_indexes
       WHERE tablename = 'usage_event' AND indexname NOT IN ('usage_event_pkey', ${index})`)
      await tx.$executeRawUnsafe(`DROP INDEX ${name}`);
    await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    const plans: string[] = [];
    for (const query of queries) {
      const lines = await tx.$queryRaw<{ "QUERY PLAN": string }[]>(Prisma.sql`EXPLAIN ${query}`);
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
    }
    undone.cause = plans;
    throw undone;
  });
  await expect(explained).rejects.toBe(undone);
  return undone.cause as string[];
}
