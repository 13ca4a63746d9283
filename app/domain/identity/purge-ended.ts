import type { Db } from "~/db.server";
import { deleteEndedSessions } from "./session-store";
import { deleteOldAttempts } from "./throttle-store";
import { deleteEndedTokens } from "./token-store";

/**
 * Removes what has ended: sessions, attempts that no longer count, and a day later links that work once, with the names,
 * addresses and password hashes of sign-ups that nobody confirmed. Safe to repeat. Returns how many rows it were.
 */
export async function purgeEnded(db: Db): Promise<number> {
  return (await deleteEndedSessions(db)) + (await deleteEndedTokens(db)) + (await deleteOldAttempts(db));
}
