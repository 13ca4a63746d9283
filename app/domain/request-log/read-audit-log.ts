import type { Reads } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { listAuditEntries } from "./audit-log-store";
import type { AuditEntry, AuditFilter } from "./shared";

const PAGE = 1_000;

/**
 * Returns one page of an organisation's audit log, newest first. `nextBeforeId` starts the next page; null: this is the last one. A key of
 * another organisation matches nothing, as if it did not exist.
 */
export async function readAuditLog(
  db: Reads,
  filter: AuditFilter,
  page: { beforeId: bigint | null; limit: number },
): Promise<{ entries: AuditEntry[]; nextBeforeId: bigint | null }> {
  await settledCallsPosted();
  const rows = await listAuditEntries(db, filter, { ...page, limit: page.limit + 1 });
  const entries = rows.slice(0, page.limit);
  return { entries, nextBeforeId: rows.length > entries.length ? (entries.at(-1)?.id ?? null) : null };
}

/**
 * Yields all matching calls, newest first, in pages of up to 1,000; no transaction stays open between two pages. Excludes calls that finish
 * meanwhile. Stops after `limit` calls if it is set.
 */
export async function* exportAuditLog(
  db: Reads,
  filter: AuditFilter,
  from: { beforeId: bigint | null; limit: number | null },
): AsyncGenerator<AuditEntry[], void, undefined> {
  let { beforeId } = from;
  let remaining = from.limit ?? Number.POSITIVE_INFINITY;
  while (remaining > 0) {
    const page = await readAuditLog(db, filter, { beforeId, limit: Math.min(PAGE, remaining) });
    yield page.entries;
    if (page.nextBeforeId === null) return;
    remaining -= page.entries.length;
    beforeId = page.nextBeforeId;
  }
}
