import { type Actor, atLeast, ROLES, type Role, rankOfRole } from "~/domain/accounts/shared";

/** Operations on a person, with the minimum role for each. */
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

/** The fields of a person that the rules need. */
export type Ranked = { id: number; role: Role; status: string };

/** Why an actor may not perform an operation on a person in their access scope; null: they may. */
export type DenialReason = "below_role" | "not_below_you" | "yourself" | "gone";

/**
 * The rank rule. An operation has a minimum role, and its target must rank below the actor. Owners may act on other
 * owners. No actor may act on themselves, except an owner who steps down. A deleted person can only be viewed.
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

/** Whether an actor may set the budget of a person in their access scope. */
export const mayLimitPerson = (actor: Pick<Actor, "userId" | "role">, target: Pick<Ranked, "id" | "role">): boolean =>
  denialReason(actor, "billing-config", { ...target, status: "active" }) === null;

const ENDS_SELF: ReadonlySet<Operation> = new Set(["status", "hard-delete"]);

/** Returns the roles that a role may give: those below it; owners give every role. */
export function grantableRoles(role: Role): readonly Role[] {
  if (role === "owner") return ROLES;
  return atLeast(role, "department_admin") ? ROLES.slice(rankOfRole(role) + 1) : [];
}

/** The people whom an actor administers. Null: none. The organisation filter narrows lists, never operations. */
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

/** The access scope for lists: a platform admin can narrow it to one organisation. */
export function listScopeOf(actor: Pick<Actor, "role" | "organisationId" | "departmentId" | "adminOrganisationId">) {
  const accessScope = accessScopeOf(actor);
  if (accessScope?.kind !== "everything" || actor.adminOrganisationId === null) return accessScope;
  return { kind: "organisation", organisationId: actor.adminOrganisationId } as const;
}
