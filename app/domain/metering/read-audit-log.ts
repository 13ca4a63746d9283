import type { Reads } from "~/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import type { AuditEntry, AuditFilter } from "./shared";
import { listAuditEntries } from "./store";

const PAGE = 1_000;

/**
 * One page of an organisation's audit log, newest first. `nextBeforeId` is where the next page begins; null: that was all.
 * A key of another organisation matches nothing, like one that does not exist.
 */
export async function readAuditLog(
  db: Reads,
  filter: AuditFilter,
  page: { beforeId: bigint | null; limit: number },
): Promise<{ entries: AuditEntry[]; nextBeforeId: bigint | null }> {
  await settledCallsPosted();
  const found = await listAuditEntries(db, filter, { ...page, limit: page.limit + 1 });
  const entries = found.slice(0, page.limit);
  return { entries, nextBeforeId: found.length > entries.length ? (entries.at(-1)?.id ?? null) : null };
}

/**
 * All matching calls, newest first, in pages of up to a thousand: nothing is kept open in the database between two pages.
 * Calls that finish meanwhile are not in it. Ends after `limit` calls where one is given.
 */
export async function* exportAuditLog(
  db: Reads,
  filter: AuditFilter,
  from: { beforeId: bigint | null; limit: number | null },
): AsyncGenerator<AuditEntry[], void, undefined> {
  let { beforeId } = from;
  let left = from.limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const page = await readAuditLog(db, filter, { beforeId, limit: Math.min(PAGE, left) });
    yield page.entries;
    if (page.nextBeforeId === null) return;
    left -= page.entries.length;
    beforeId = page.nextBeforeId;
  }
}
