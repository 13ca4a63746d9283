import { createContext, type RouterContextProvider } from "react-router";
import type { SignedInPerson } from "~/domain/accounts/index.server";
import { type AccountState, type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { clientAddressContext } from "~/http/server/client-address";
import { unreachable } from "~/values/unreachable";
import { languageOf } from "./language.server";

type Context = Readonly<RouterContextProvider>;

/** The sender of the request; `problem`: unknown, because the database does not answer. */
export type Known = { person: SignedInPerson | null } | { problem: unknown };

/** Set once per request by the root's middleware. */
export const knownContext = createContext<Known>({ person: null });

/**
 * Returns the signed-in person of a request, in any account state (see `accountState`); null for a visitor.
 * @throws the database's error when the sender is unknown because of it.
 */
export function personOf(
  context: Context,
): { actor: Actor; accountState: AccountState; recentlyProved: boolean } | null {
  const known = context.get(knownContext);
  if ("problem" in known) throw known.problem;
  if (known.person === null) return null;
  const { actor, accountState, recentlyProved } = known.person;
  return {
    actor: { ...actor, language: actor.language ?? languageOf(context), address: context.get(clientAddressContext) },
    accountState,
    recentlyProved,
  };
}

/**
 * Returns the actor; null for visitors and for people with a pending step. Pages outside the dashboard may use it too.
 */
export function actorOf(context: Context): Actor | null {
  const person = personOf(context);
  return person?.accountState === "ready" ? person.actor : null;
}

/**
 * Returns the actor.
 * @throws AppError authentication_required; email_not_verified, account_status or tos_not_accepted.
 */
export function requireActor(context: Context): Actor {
  const person = personOf(context);
  if (person === null) throw apiError("authentication_required");
  const error = errorOfAccountState(person.accountState);
  if (error !== null) throw error;
  return person.actor;
}

/**
 * Returns the actor if their role has at least the rank of `role`.
 * @throws AppError forbidden, and as `requireActor`.
 */
export function requireRole(context: Context, role: Role): Actor {
  const actor = requireActor(context);
  if (!atLeast(actor.role, role)) throw apiError("forbidden");
  return actor;
}

/**
 * Requires a recent proof of identity before an action that an attacker could do lasting harm with: the actor must have
 * signed in, or confirmed their identity, within the last 15 minutes. The handler of the error sends browsers to
 * `/account/confirm`.
 * @throws AppError authentication_required
 */
export function requireRecentProof(context: Context): void {
  if (hasRecentProof(context)) return;
  throw apiError("authentication_required", {
    key: "rejections:confirmFirst",
  });
}

/** Whether the actor signed in, or confirmed their identity, within the last 15 minutes. */
const hasRecentProof = (context: Context): boolean => personOf(context)?.recentlyProved ?? false;

/** Returns the error for a signed-in person with a pending step; null when there is none. */
export function errorOfAccountState(accountState: AccountState) {
  switch (accountState) {
    case "ready":
      return null;
    case "unverified":
      return apiError("email_not_verified");
    case "terms":
      return apiError("tos_not_accepted");
    case "suspended":
      return apiError("account_status", {
        key: "rejections:accountSuspended",
      });
    case "archived":
      return apiError("account_status", { key: "rejections:accountClosed" });
    default:
      return unreachable(accountState);
  }
}
