/** A connection that is not there, or broke before it answered. */
export class LinkLost extends Error {
  override readonly name = "LinkLost";
}

/**
 * What went wrong with a statement:
 * - lost: no answer came; it may have been carried out;
 * - away: the server refused to work at all (starting, stopping, full, read-only, overloaded), nothing was done;
 * - again: a conflict with others (deadlock, serialisation), nothing was done, an immediate repetition may succeed;
 * - data: something in the values is impossible, and always will be;
 * - unusual: a lean turn met what only a full one decides; nothing was done.
 */
export type SqlProblem = { kind: "lost" | "away" | "again" | "data" | "unusual"; cause: Error; sqlState?: string };

/** The server has cut off a statement that took too long: it answers, only slowly. */
export const CUT_OFF = "57014";

/** What `accounting_turn` raises. */
const UNUSUAL = "GW010";

/** Sorts an error of `pg`. */
export function problemOf(cause: Error): SqlProblem {
  const sqlState = (cause as { code?: unknown }).code;
  if (typeof sqlState !== "string" || !/^[0-9A-Z]{5}$/.test(sqlState)) return { kind: "lost", cause };
  if (sqlState.startsWith("57P") || sqlState.startsWith("08")) return { kind: "lost", cause, sqlState };
  if (sqlState === "40001" || sqlState === "40P01" || sqlState === "55P03") return { kind: "again", cause, sqlState };
  if (sqlState === UNUSUAL) return { kind: "unusual", cause, sqlState };
  if (sqlState.startsWith("22") || sqlState.startsWith("23") || sqlState === "P0001")
    return { kind: "data", cause, sqlState };
  return { kind: "away", cause, sqlState };
}
