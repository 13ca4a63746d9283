import type { Db } from "~/db.server";
import type { CallDetail } from "./shared";
import { findCall } from "./store";

/**
 * Everything that was stored of one finished call; null when there is none with this id. `organisationId` null looks in
 * all organisations: a call of another one is the same as none.
 */
export function readCall(db: Db, organisationId: number | null, requestId: string): Promise<CallDetail | null> {
  return UUID.test(requestId) ? findCall(db, organisationId, requestId) : Promise.resolve(null);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
