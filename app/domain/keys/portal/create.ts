import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, authorOf, rankOfRole, scopeOf } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { lockOrganisation } from "../author-store";
import { lockPersonalAuthor } from "../authors";
import { type IssuedKey, issueKey, type NewKey } from "../issue";
import { requireMaker } from "./rights";
import {
  findOwner,
  listDepartmentsForKeys,
  listOwners,
  listProjectsForKeys,
  lockProjectForKey,
  type NamedRow,
} from "./store";

/** A request for a new key. `owner`: the actor, another person by id, or none (then a department can be named). */
export type CreateKeyInput = Omit<NewKey, "organisationId" | "userId" | "secret"> & {
  owner: "self" | "nobody" | number;
};

/** The choices of an actor who creates a key. `others`: they may create keys for other people, or without an owner. */
export type KeyChoices = {
  others: boolean;
  adminKeys: boolean;
  people: { id: number; name: string; email: string }[];
  departments: NamedRow[];
  projects: NamedRow[];
};

/** @throws AppError forbidden for viewers. */
export async function keyChoices(db: Db, actor: Actor): Promise<KeyChoices> {
  requireMaker(actor);
  const others = scopeOf(actor).kind !== "own";
  const organisationId = homeOf(actor);
  const [people, departments, projects] = await Promise.all([
    others ? listOwners(db, actor) : [],
    listDepartmentsForKeys(db, actor, organisationId),
    listProjectsForKeys(db, actor, organisationId),
  ]);
  return {
    others,
    adminKeys: atLeast(actor.role, "org_admin"),
    people: people
      .filter(({ role }) => rankOfRole(role) >= rankOfRole(actor.role))
      .map(({ id, name, email }) => ({ id, name: name || email, email })),
    departments,
    projects,
  };
}

/**
 * Creates a key: people for themselves, and admins in admin mode also for others in their scope and without an owner.
 * Admin keys require org_admin. Records an audit event.
 * @throws AppError forbidden; not_found for a person, department or project outside the actor's access scope.
 */
export async function createActorKey(db: Db, actor: Actor, input: CreateKeyInput): Promise<IssuedKey> {
  requireMaker(actor);
  const { owner, departmentId, projectId, ...settings } = input;
  if (settings.kind === "admin" && !atLeast(actor.role, "org_admin")) {
    throw apiError("forbidden", { key: "rejections:adminKeyByAdmin" });
  }
  return inTransaction(db, async (tx) => {
    const location = await locationOf(tx, actor, owner, departmentId ?? null);
    // In the order of all locks: organisation and person before project.
    await lockOrganisation(tx, location.organisationId);
    await lockPersonalAuthor(tx, authorOf(actor), settings.kind ?? "inference");
    if (projectId != null) await requireProject(tx, actor, location.organisationId, projectId);
    return issueKey(tx, { ...settings, ...location, projectId: projectId ?? null }, authorOf(actor));
  });
}

/**
 * Requires a project that a key of the actor can belong to, locked against removal of its members. @throws AppError
 * not_found
 */
export async function requireProject(db: Db, actor: Actor, organisationId: number, projectId: number): Promise<void> {
  await lockProjectForKey(db, organisationId, projectId);
  const projects = await listProjectsForKeys(db, actor, organisationId);
  if (!projects.some(({ id }) => id === projectId)) {
    throw apiError("not_found", { key: "rejections:noProjectOfYours" });
  }
}

async function locationOf(db: Db, actor: Actor, owner: CreateKeyInput["owner"], departmentId: number | null) {
  if (owner === "self" || owner === actor.userId) {
    return { organisationId: actor.organisationId, userId: actor.userId, departmentId: actor.departmentId };
  }
  const scope = scopeOf(actor);
  if (scope.kind === "own") {
    throw apiError("forbidden", { key: "rejections:keysForYourself" });
  }
  if (owner === "nobody") return { userId: null, ...(await unassignedLocation(db, actor, departmentId)) };
  const person = await findOwner(db, actor, owner);
  if (person === null) throw apiError("not_found", { key: "rejections:noPerson" });
  if (rankOfRole(person.role) < rankOfRole(actor.role)) {
    throw apiError("forbidden", { key: "rejections:ownerOutranksYou" });
  }
  return { organisationId: person.organisationId, userId: person.id, departmentId: person.departmentId };
}

async function unassignedLocation(db: Db, actor: Actor, departmentId: number | null) {
  const scope = scopeOf(actor);
  const organisationId = homeOf(actor);
  // A department admin has access to their department only.
  if (scope.kind === "department" && departmentId !== null && departmentId !== scope.departmentId) {
    throw apiError("not_found", { key: "rejections:noDepartment" });
  }
  const requestedId = scope.kind === "department" ? scope.departmentId : departmentId;
  if (requestedId === null) return { organisationId, departmentId: null };
  // Protects its departments from deletion meanwhile.
  await lockOrganisation(db, organisationId);
  const departments = await listDepartmentsForKeys(db, actor, organisationId);
  if (!departments.some(({ id }) => id === requestedId)) {
    throw apiError("not_found", { key: "rejections:noDepartment" });
  }
  return { organisationId, departmentId: requestedId };
}

/** Returns the organisation in which an actor creates objects: the one they view, otherwise their own. */
export function homeOf(actor: Actor): number {
  const scope = scopeOf(actor);
  return scope.kind === "everything" ? actor.organisationId : scope.organisationId;
}
