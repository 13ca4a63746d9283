import { createContext, type RouterContextProvider } from "react-router";
import type { SignedInPerson } from "~/domain/identity/index.server";
import { type AccountState, type Actor, atLeast, type Role } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { clientAddressContext } from "~/http/client-address";
import { unreachable } from "~/unreachable";
import { languageOf } from "./language.server";

type Context = Readonly<RouterContextProvider>;

/** Who sent the request; `problem`: nobody can tell at this moment, because the database does not answer. */
export type Known = { person: SignedInPerson | null } | { problem: unknown };

/** Written once per request by the root's middleware. */
export const knownContext = createContext<Known>({ person: null });

/**
 * The signed-in person of a request, whatever still stands in their way (see `standing`); null for a visitor.
 * @throws what the database answered, when it could not be asked.
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

/** Who acts; null for visitors and for people who may not go on yet. Pages outside the dashboard may ask it too. */
export function actorOf(context: Context): Actor | null {
  const person = personOf(context);
  return person?.accountState === "ready" ? person.actor : null;
}

/** Who acts. @throws AppError authentication_required; email_not_verified, account_status or tos_not_accepted. */
export function requireActor(context: Context): Actor {
  const person = personOf(context);
  if (person === null) throw apiError("authentication_required");
  const problem = errorOfAccountState(person.accountState);
  if (problem !== null) throw problem;
  return person.actor;
}

/** Who acts, when their role has at least the rank of `role`. @throws AppError forbidden, and as `requireActor`. */
export function requireRole(context: Context, role: Role): Actor {
  const actor = requireActor(context);
  if (!atLeast(actor.role, role)) throw apiError("forbidden");
  return actor;
}

/**
 * Asks for a recent proof, before an act that does lasting harm in the wrong hands: the actor signed in, or confirmed who
 * they are, within the last 15 minutes. Browsers are sent to `/account/confirm` by whoever answers the refusal.
 * @throws AppError authentication_required
 */
export function requireRecentProof(context: Context): void {
  if (hasRecentProof(context)) return;
  throw apiError("authentication_required", {
    key: "rejections:confirmFirst",
  });
}

/** Whether the actor signed in, or confirmed who they are, within the last 15 minutes. */
const hasRecentProof = (context: Context): boolean => personOf(context)?.recentlyProved ?? false;

/** What to answer somebody who is signed in and may not go on; null when they may. */
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
