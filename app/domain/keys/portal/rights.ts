import { type Actor, atLeast, rankOfRole, scopeOf } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import type { KeyRights } from "./shared";
import type { NamedKeyRow } from "./store";

type Key = Pick<NamedKeyRow, "kind" | "userId" | "createdById" | "ownerRole">;

/**
 * Returns an actor's rights on a key that they see. Viewers change nothing. A key of a person of higher rank is
 * read-only. People change their own keys, except the limits of a key that another person created for them; these
 * require org_admin.
 */
export function rightsOn(actor: Actor, key: Key): KeyRights {
  const nothing = { change: false, limits: false };
  if (actor.role === "viewer") return nothing;
  if (key.kind === "admin" && !atLeast(actor.role, "org_admin")) return nothing;
  const isOwn = key.userId === actor.userId;
  if (!isOwn && key.ownerRole !== null && rankOfRole(key.ownerRole) < rankOfRole(actor.role)) return nothing;
  const governs = scopeOf(actor).kind !== "own" && (!isOwn || atLeast(actor.role, "org_admin"));
  return { change: true, limits: governs || key.createdById === actor.userId || atLeast(actor.role, "org_admin") };
}

/** Whether an actor may change the budget of a key that they see. */
export const mayLimitKey = (actor: Actor, key: Key): boolean => rightsOn(actor, key).limits;

/** Rejects viewers. @throws AppError forbidden */
export function requireMaker(actor: Actor): void {
  if (actor.role === "viewer") {
    throw apiError("forbidden", {
      key: "rejections:viewersCreateNoKeys",
    });
  }
}

export const mayNotChange = () => apiError("forbidden", { key: "rejections:keyReadOnly" });

export const limitsAreFixed = () =>
  apiError("forbidden", {
    key: "rejections:limitsFixed",
  });
