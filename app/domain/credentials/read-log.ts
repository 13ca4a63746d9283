import type { Db } from "~/connection/db.server";
import { flushTokenEvents } from "./record-events";
import type { CredentialView, TokenEventKind, TokenEventSource, TokenLogPage, TokenLogQuery } from "./shared";
import { findEvents, listActive } from "./store";

/** Returns a page of the event log of suppliers' credentials, newest first, including new events of this process. */
export async function readTokenLog(db: Db, query: TokenLogQuery, now = new Date()): Promise<TokenLogPage> {
  await flushTokenEvents();
  const { rows, total } = await findEvents(db, query, now);
  const events = rows.map(({ id, at, provider, keyName, kind, source, errorKind, detail, count }) => ({
    id: String(id),
    at: at.toISOString(),
    at_ms: at.getTime(),
    provider,
    key_name: keyName,
    kind: kind as TokenEventKind,
    source: source as TokenEventSource,
    error_kind: errorKind,
    detail,
    count,
  }));
  return { events, total, limit: query.limit, offset: query.offset };
}

/** Returns the stored state of every active credential, by supplier and position. Never a secret. */
export async function readCredentialViews(db: Db, now = new Date()): Promise<CredentialView[]> {
  const rows = await listActive(db);
  return rows.map(({ id, supplierId, supplier, name, kind, source, generation, failures, ...row }) => ({
    id,
    supplierId,
    supplier: supplier.name,
    region: supplier.region,
    name,
    kind: kind as CredentialView["kind"],
    source: source as CredentialView["source"],
    state: row.state === "revoked" ? "revoked" : row.expiresAt !== null && row.expiresAt <= now ? "expired" : "usable",
    expiresAt: row.expiresAt?.toISOString() ?? null,
    refreshedAt: row.refreshedAt?.toISOString() ?? null,
    generation,
    failures,
    retryAt: row.retryAt !== null && row.retryAt > now ? row.retryAt.toISOString() : null,
  }));
}
