/** The connection is down, or broke before the answer. */
export class LinkLost extends Error {
  override readonly name = "LinkLost";
}

/**
 * The failure of a statement:
 * - lost: no answer arrived; the statement may have been executed;
 * - away: the server refuses all work (starting, stopping, full, read-only, overloaded); nothing was executed;
 * - again: a conflict with other transactions (deadlock, serialisation); nothing was executed, and a retry may succeed at once;
 * - data: a value is invalid, so a retry fails again;
 * - unusual: a lean turn met a case that only a full turn decides; nothing was executed.
 */
export type SqlProblem = { kind: "lost" | "away" | "again" | "data" | "unusual"; cause: Error; sqlState?: string };

/** SQLSTATE query_canceled: the server cancelled a slow statement. The server does answer. */
export const CUT_OFF = "57014";

/** SQLSTATE raised by `accounting_turn`. */
const UNUSUAL = "GW010";

/** Classifies an error of `pg`. */
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
