import type { Db } from "~/connection/db.server";
import { deleteEndedTokens } from "./links/token-store";
import { deleteEndedSessions } from "./sessions/session-store";
import { deleteOldAttempts } from "./sign-in/throttle-store";

/**
 * Deletes ended sessions, sign-in attempts that no longer count and, a day after they end, one-time links with the
 * names, addresses and password hashes of unconfirmed sign-ups. Safe to repeat. Returns the number of rows.
 */
export async function purgeEnded(db: Db): Promise<number> {
  return (await deleteEndedSessions(db)) + (await deleteEndedTokens(db)) + (await deleteOldAttempts(db));
}
