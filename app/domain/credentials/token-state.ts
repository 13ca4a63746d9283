import type { CredentialRow } from "./store";

/** An OAuth credential in the memory of a process. Times are milliseconds since 1970. */
export type TokenState = {
  id: number;
  supplierId: number;
  supplier: string;
  name: string;
  /** null: no token yet. */
  text: string | null;
  /** null: unknown; then it is renewed after a supplier rejects it. */
  expiresAt: number | null;
  refreshedAt: number | null;
  generation: number;
  isRevoked: boolean;
  retryAt: number | null;
};

/** Remaining lifetime at which a token is renewed: these milliseconds, or this share of the lifetime if less. */
const AHEAD_MS = 300_000;
const AHEAD_SHARE = 0.25;
/**
 * A token with less than these milliseconds, or this share of its lifetime left, is not sent: it could expire on the
 * way.
 */
const TOO_CLOSE_MS = 10_000;
const TOO_CLOSE_SHARE = 0.1;

/** Returns how to treat a token: use it, use it during its renewal, or wait for the renewal. */
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

/** Converts a row to a state. `text` is the decrypted token. */
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
