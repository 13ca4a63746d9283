import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { Prisma } from "~/generated/prisma/client";
import { aSettlement, type Books, fundedWallet, openBooks, someParties } from "../../../tests/support/accounting";
import { plansWithIndex } from "../../../tests/support/plans";
import { readRequests } from "./index.server";
import { newestRequests } from "./request-source-store";
import type { RequestFilter } from "./shared";

const CALLS = 20_000;
/** One call in this many is unsuccessful, in one of four ways. */
const UNSUCCESSFUL = 100;
const WAYS = ["error", "not_executed", "upstream_abort", "client_abort"];
const FAILED = { failed: ["error", "not_executed"], error: ["error", "not_executed", "upstream_abort"] } as const;

let books: Books;
type Row = { id: string; key_id: number; outcome: string };
/** Unsuccessful calls, newest first. */
let rows: Row[];

beforeAll(async () => {
  books = await openBooks();
  const accounting = await books.start();
  await books.sql("INSERT INTO organisation (id, name, slug) VALUES (1, 'One', 'one') ON CONFLICT DO NOTHING");
  const wallet = await fundedWallet(books, 0n, { exempt: true });
  const parties = someParties(wallet, { exempt: true, organisationId: 1, keyId: 10 });
  await accounting.settle(aSettlement({ ...parties, callId: randomUUID() }, 5n, { held: false }));
  // Calls that are settled later began earlier, because the list is ordered by settlement.
  await books.sql(
    `INSERT INTO usage_event OVERRIDING SYSTEM VALUE
       SELECT made.* FROM usage_event of CROSS JOIN generate_series(1, ${CALLS}) n
        CROSS JOIN LATERAL jsonb_populate_record(of, jsonb_build_object(
          'id', of.id + n, 'request_id', gen_random_uuid(), 'key_id', 10 + n / ${UNSUCCESSFUL} % 3,
          'started_at', of.started_at - n * interval '1 second',
          'outcome', CASE WHEN n % ${UNSUCCESSFUL} = 0 THEN ($1::text[])[1 + n / ${UNSUCCESSFUL} % 4] ELSE 'complete' END)) made`,
    [WAYS],
  );
  await books.sql("ANALYZE usage_event");
  rows = await books.sql<Row>(
    "SELECT id::text, key_id, outcome FROM usage_event WHERE outcome <> 'complete' ORDER BY usage_event.id DESC",
  );
});
afterAll(() => books.close());

async function listed(scope: UsageScope, filter: RequestFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let beforeId: bigint | null = null; ; ) {
    const page = await readRequests(db(), scope, { filter, beforeId, limit: 7 });
    ids.push(...page.requests.map(({ id }) => String(id)));
    beforeId = page.nextBeforeId;
    if (beforeId === null) return ids;
  }
}

test.each(["failed", "error"] as const)(
  "%s calls come in the order in which they ended, page by page",
  async (outcome) => {
    const of = (keyIds: readonly number[]) =>
      rows.filter((row) => keyIds.includes(row.key_id) && FAILED[outcome].some((way) => way === row.outcome));
    for (const [scope, keyIds] of [
      [{ organisationId: null }, [10, 11, 12]],
      [{ organisationId: 1 }, [10, 11, 12]],
      [{ organisationId: 1, keyIds: [10, 12] }, [10, 12]],
      [{ organisationId: 2 }, []],
    ] as const)
      expect(await listed(scope, { outcome })).toEqual(of(keyIds).map(({ id }) => id));
  },
);

test.each(["failed", "error", "interrupted"] as const)(
  "%s calls are taken one by one from the index of what was not answered well: the database expects to meet them soon",
  async (outcome) => {
    const limit = 10;
    const query = async (scope: UsageScope) =>
      Prisma.sql`SELECT * FROM (${await newestRequests(db(), scope, { filter: { outcome }, beforeId: null, limit })}) found`;
    for (const [index, scope] of [
      ["usage_event_unfinished", { organisationId: 1 }],
      ["usage_event_unfinished_key", { organisationId: 1, keyIds: [11] }],
    ] as const) {
      const [plan = ""] = await plansWithIndex(index, [await query(scope)]);
      const [, met] = new RegExp(`Index Scan Backward using ${index} on .*rows=(\\d+)`).exec(plan) ?? [];
      // With a smaller estimate than a page, the planner would read the whole index and sort it.
      expect(Number(met), plan).toBeGreaterThan(limit);
      expect(plan).not.toContain("Sort");
    }
  },
);
