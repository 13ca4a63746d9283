import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { type Actor, atLeast, authorOf, rankOfRole, scopeOf } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { keepOrganisation } from "../author-store";
import { keepPersonalAuthor } from "../authors";
import { type IssuedKey, issueKey, type NewKey } from "../issue";
import { requireMaker } from "./rights";
import {
  findOwner,
  keepProject,
  listDepartmentsForKeys,
  listOwners,
  listProjectsForKeys,
  type NamedRow,
} from "./store";

/** What somebody asks for. `owner`: themselves, another person by id, or nobody (then a department can be named). */
export type CreateKeyInput = Pick<
  NewKey,
  | "name"
  | "kind"
  | "allowedModels"
  | "allowedRegions"
  | "allowedOrigins"
  | "rateLimitRpm"
  | "metadata"
  | "expiresAt"
  | "budget"
> & {
  owner: "self" | "nobody" | number;
  departmentId?: number | null;
  projectId?: number | null;
};

/** What an actor can choose from when they make a key. `others`: they may make keys for other people, or for nobody. */
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
 * Makes a key: people for themselves, admins in their view also for others of their scope and unassigned ones.
 * Admin keys take org_admin and above. Written into the audit log.
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
    // In the order of all locks: the organisation and its person come before a project.
    await keepOrganisation(tx, location.organisationId);
    await keepPersonalAuthor(tx, authorOf(actor), settings.kind ?? "inference");
    if (projectId != null) await requireProject(tx, actor, location.organisationId, projectId);
    return issueKey(tx, { ...settings, ...location, projectId: projectId ?? null }, authorOf(actor));
  });
}

/** A project that a key of the actor can be put into, and that they are not taken out of meanwhile. @throws AppError not_found */
export async function requireProject(db: Db, actor: Actor, organisationId: number, projectId: number): Promise<void> {
  await keepProject(db, organisationId, projectId);
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
  // A department admin reaches no further than the department.
  if (scope.kind === "department" && departmentId !== null && departmentId !== scope.departmentId) {
    throw apiError("not_found", { key: "rejections:noDepartment" });
  }
  const wanted = scope.kind === "department" ? scope.departmentId : departmentId;
  if (wanted === null) return { organisationId, departmentId: null };
  // Its departments are not deleted meanwhile.
  await keepOrganisation(db, organisationId);
  const departments = await listDepartmentsForKeys(db, actor, organisationId);
  if (!departments.some(({ id }) => id === wanted)) {
    throw apiError("not_found", { key: "rejections:noDepartment" });
  }
  return { organisationId, departmentId: wanted };
}

/** The organisation in which an actor makes things: the one they look at, else their own. */
export function homeOf(actor: Actor): number {
  const scope = scopeOf(actor);
  return scope.kind === "everything" ? actor.organisationId : scope.organisationId;
}
