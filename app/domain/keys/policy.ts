import type { ErrorCode } from "~/errors/catalogue";
import type { Caller, KeyStatus } from "./shared";

/** The stored data of one secret. Times are milliseconds since the epoch; Infinity: no end. */
export type KnownSecret = {
  caller: Caller;
  keyStatus: "active" | "suspended" | "revoked";
  /** Whether the key's user, if any, may use the service. */
  userActive: boolean;
  expiresAtMs: number;
  /** The end of the overlap, for a previous secret. */
  replacedAtMs: number;
};

/** Returns why a secret may not be used at a given time; null when it may. */
export function denialReason(secret: KnownSecret, nowMs: number): ErrorCode | null {
  if (secret.keyStatus === "revoked" || nowMs >= secret.replacedAtMs) return "invalid_api_key";
  if (secret.keyStatus === "suspended" || !secret.userActive) return "account_status";
  return nowMs >= secret.expiresAtMs ? "expired_api_key" : null;
}

/** Returns the displayed status. A status that was set takes precedence over the expiry date. */
export function statusOf(key: { status: string; expiresAt: Date | null }, now: Date): KeyStatus {
  if (key.status === "revoked" || key.status === "suspended") return key.status;
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}

/** Returns whether a budget change, published as `scope:id` or as everything, can affect a caller. */
export function isConcerned(caller: Caller, changed: string | undefined): boolean {
  const [scope, id] = (changed ?? "").split(":");
  const own: Record<string, number | null> = {
    key: caller.keyId,
    user: caller.userId,
    department: caller.departmentId,
    project: caller.projectId,
    organisation: caller.organisationId,
    wallet: caller.walletId,
  };
  if (scope === undefined || id === undefined || !Object.hasOwn(own, scope)) return true;
  return String(own[scope]) === id;
}
