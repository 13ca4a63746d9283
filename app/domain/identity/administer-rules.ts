import { type Actor, atLeast, ROLES, type Role, rankOfRole } from "./shared";

/** What can be done to a person, and the lowest role that may do it to anybody at all. */
export const OPERATIONS = {
  view: "department_admin",
  role: "department_admin",
  status: "department_admin",
  "credit-limit": "org_admin",
  "billing-config": "org_admin",
  department: "org_admin",
  "hard-delete": "org_admin",
  "billing-exempt": "platform_admin",
  "monthly-budget": "platform_admin",
  org: "platform_admin",
} as const satisfies Record<string, Role>;
export type Operation = keyof typeof OPERATIONS;

/** Of a person, what the rules ask for. */
export type Ranked = { id: number; role: Role; status: string };

/** Why an actor may not do something to somebody in their access scope; null when they may. */
export type DenialReason = "below_role" | "not_below_you" | "yourself" | "gone";

/**
 * The rank rule. An act needs its own least role; its target must stand below the actor. Owners may act on other owners.
 * Nobody acts on themselves, except that an owner may step down; what is left of a deleted person is only looked at.
 */
export function denialReason(
  actor: Pick<Actor, "userId" | "role">,
  operation: Operation,
  target: Ranked,
): DenialReason | null {
  if (!atLeast(actor.role, OPERATIONS[operation])) return "below_role";
  if (operation === "view") return null;
  if (target.status === "deleted") return "gone";
  const isOwner = actor.role === "owner";
  if (target.id === actor.userId) return isOwner && !ENDS_SELF.has(operation) ? null : "yourself";
  if (isOwner) return null;
  return rankOfRole(actor.role) < rankOfRole(target.role) ? null : "not_below_you";
}

/**
 * The highest credit limit that a role may put on a wallet, in nano-USD; null: any. Credit comes from those who run the
 * installation; an organisation's admins hand out what its ceiling leaves beside the credit of the other wallets
 * (`givenElsewhereNanoUsd`). Everybody may leave a limit as it is or lower it.
 */
export function maxCredit(
  role: Role,
  credit: { ceilingNanoUsd: bigint; givenElsewhereNanoUsd: bigint; currentNanoUsd: bigint },
): bigint | null {
  if (atLeast(role, "platform_admin")) return null;
  const left = credit.ceilingNanoUsd - credit.givenElsewhereNanoUsd;
  if (left < credit.currentNanoUsd) return credit.currentNanoUsd;
  return left;
}

const ENDS_SELF: ReadonlySet<Operation> = new Set(["status", "hard-delete"]);

/** The roles that somebody may give: those below their own; owners give every role. */
export function grantableRoles(role: Role): readonly Role[] {
  if (role === "owner") return ROLES;
  return atLeast(role, "department_admin") ? ROLES.slice(rankOfRole(role) + 1) : [];
}

/** Which rows of people an actor's administration reaches. Null: none. The organisation filter narrows lists, never acts. */
export type AccessScope =
  | { kind: "everything" }
  | { kind: "organisation"; organisationId: number }
  | { kind: "department"; organisationId: number; departmentId: number };

export function accessScopeOf(actor: Pick<Actor, "role" | "organisationId" | "departmentId">): AccessScope | null {
  const { role, organisationId, departmentId } = actor;
  if (atLeast(role, "platform_admin")) return { kind: "everything" };
  if (role === "org_admin") return { kind: "organisation", organisationId };
  if (role === "department_admin" && departmentId !== null) return { kind: "department", organisationId, departmentId };
  return null;
}

/** The same for lists: a platform admin may look at one organisation only. */
export function listScopeOf(actor: Pick<Actor, "role" | "organisationId" | "departmentId" | "adminOrganisationId">) {
  const accessScope = accessScopeOf(actor);
  if (accessScope?.kind !== "everything" || actor.adminOrganisationId === null) return accessScope;
  return { kind: "organisation", organisationId: actor.adminOrganisationId } as const;
}
