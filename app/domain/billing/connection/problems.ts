import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { isProcessorConfigured } from "../processor";
import type { ConnectionProblem, ConnectionProblemKind } from "../shared";
import { listProblems, putProblem } from "./problem-store";

/** Lists a problem of the connection for owners and platform admins, and logs it once. Never throws. */
export async function recordProblem(db: Db, kind: ConnectionProblemKind, detail: string): Promise<void> {
  try {
    if (await putProblem(db, kind, detail))
      log.error({ problem: kind, detail }, "the connection to the payment processor is not right");
  } catch (err) {
    log.warn({ err, problem: kind, detail }, "a problem with the payment processor could not be noted");
  }
}

/**
 * Returns the problems of the connection to the payment processor, oldest first; null when no processor is configured.
 */
export const readConnectionProblems = async (db: Db): Promise<ConnectionProblem[] | null> =>
  isProcessorConfigured() ? listProblems(db) : null;
