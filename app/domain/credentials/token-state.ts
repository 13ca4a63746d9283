import type { CredentialRow } from "./store";

/** One OAuth credential as a process keeps it. Times are milliseconds since 1970. */
export type TokenState = {
  id: number;
  supplierId: number;
  supplier: string;
  name: string;
  /** null: it has none yet. */
  text: string | null;
  /** null: it is not known when it ends; then it is renewed when a supplier refuses it. */
  expiresAt: number | null;
  refreshedAt: number | null;
  generation: number;
  isRevoked: boolean;
  retryAt: number | null;
};

/** A token is renewed this long before its end, or a quarter of its life before, whichever is less. */
const AHEAD_MS = 300_000;
const AHEAD_SHARE = 0.25;
/** A token this close to its end, or with a tenth of its life left, does not leave any more: it could end on the way. */
const TOO_CLOSE_MS = 10_000;
const TOO_CLOSE_SHARE = 0.1;

/** What to do about a token now: use it, use it while a new one is fetched, or wait for the new one. */
export function tokenFreshness(
  { text, expiresAt, refreshedAt }: Pick<TokenState, "text" | "expiresAt" | "refreshedAt">,
  now: number,
): "fresh" | "due" | "over" {
  if (text === null) return "over";
  if (expiresAt === null) return "fresh";
  const lifeMs = refreshedAt === null ? Number.POSITIVE_INFINITY : expiresAt - refreshedAt;
  const leftMs = expiresAt - now;
  if (leftMs <= Math.min(TOO_CLOSE_MS, lifeMs * TOO_CLOSE_SHARE)) return "over";
  return leftMs <= Math.min(AHEAD_MS, lifeMs * AHEAD_SHARE) ? "due" : "fresh";
}

/** A row as a state. `text` is the opened token. */
export const stateOf = (row: CredentialRow, text: string | null): TokenState => ({
  id: row.id,
  supplierId: row.supplierId,
  supplier: row.supplier.name,
  name: row.name,
  text,
  expiresAt: row.expiresAt?.getTime() ?? null,
  refreshedAt: row.refreshedAt?.getTime() ?? null,
  generation: row.generation,
  isRevoked: row.state === "revoked",
  retryAt: row.retryAt?.getTime() ?? null,
});
