import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { readBudget } from "~/domain/accounting/index.server";
import type { BudgetView } from "~/domain/accounting/shared";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { withdrawProjectKeys } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import { lockOrganisations } from "../organisation-store";
import { requireAccessibleOrganisation } from "../require-accessible";
import {
  changeProject,
  deleteMember,
  findJoinable,
  findMembers,
  findProjects,
  insertMember,
  insertProject,
  isProjectNamed,
  lockProject,
  type MemberRow,
  type ProjectRow,
  type ProjectScope,
} from "./project-store";

export type { MemberRow, ProjectRow } from "./project-store";

/**
 * Returns projects that the actor may see, newest first: all for platform admins (or those of the organisation they
 * view), their organisation's for its admins, and for department admins those they created or belong to.
 * @throws AppError forbidden below department admin
 */
export async function listProjects(
  db: Db,
  actor: Actor,
  query: { q: string | null; state: "active" | "archived" | "all"; beforeId: number | null; limit: number },
): Promise<{ projects: ProjectRow[]; nextBeforeId: number | null }> {
  const accessScope = accessScopeOf(actor, actor.adminOrganisationId);
  const rows = await findProjects(db, {
    ...query,
    accessScope,
    onlyId: null,
    limit: query.limit + 1,
    monthStart: monthStart(),
  });
  const projects = rows.slice(0, query.limit);
  return { projects, nextBeforeId: rows.length > projects.length ? (projects.at(-1)?.id ?? null) : null };
}

/**
 * Returns one project with its members and its budget (null: it never had one). @throws AppError forbidden; not_found,
 * the same for a foreign and a missing one.
 */
export async function readProject(
  db: Db,
  actor: Actor,
  projectId: number,
): Promise<{ project: ProjectRow; members: MemberRow[]; budget: BudgetView | null }> {
  const project = await requireAccessible(db, actor, projectId);
  const [members, budget] = await Promise.all([
    findMembers(db, projectId),
    readBudget(db, { kind: "project", id: projectId }),
  ]);
  return { project, members, budget };
}

/**
 * Creates a project, in the actor's organisation unless a platform admin names another.
 * @throws AppError forbidden, not_found; conflict when the organisation has a project of that name.
 */
export async function createProject(
  db: Db,
  actor: Actor,
  project: { name: string; description: string; organisationId?: number },
): Promise<{ id: number }> {
  requireAdmin(actor);
  const { name, description } = project;
  const organisationId = project.organisationId ?? actor.adminOrganisationId ?? actor.organisationId;
  return inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    await requireAccessibleOrganisation(tx, actor, organisationId, "department_admin");
    await refuseTakenName(tx, organisationId, name);
    const { id } = await insertProject(tx, { organisationId, name, description, createdById: actor.userId });
    // The creator becomes a member, so that a department admin continues to see the project.
    if (organisationId === actor.organisationId) await insertMember(tx, id, actor.userId);
    await record(tx, actor, { id, name, organisationId }, { action: "project.create", after: { name, description } });
    return { id };
  });
}

/** @throws AppError forbidden, not_found; conflict when the organisation has a project of that name. */
export async function updateProject(
  db: Db,
  actor: Actor,
  projectId: number,
  change: { name?: string; description?: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { organisationId } = await requireAccessible(tx, actor, projectId);
    await lockOrganisations(tx, [organisationId]);
    const project = await readLockedProject(tx, actor, projectId);
    const { name = project.name, description = project.description } = change;
    if (name === project.name && description === project.description) return;
    if (name !== project.name) await refuseTakenName(tx, project.organisationId, name, projectId);
    await changeProject(tx, projectId, { name, description });
    const before = { name: project.name, description: project.description };
    await record(tx, actor, { ...project, name }, { action: "project.update", before, after: { name, description } });
  });
}

/**
 * Archives or restores a project. Its keys continue to work; no new keys can be added to it while archived. Repeating
 * it changes nothing.
 * @throws AppError forbidden, not_found
 */
export async function archiveProject(db: Db, actor: Actor, projectId: number, archived: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    const project = await readLockedProject(tx, actor, projectId);
    if ((project.archivedAt !== null) === archived) return;
    await changeProject(tx, projectId, { archivedAt: archived ? new Date() : null });
    const action = archived ? "project.archive" : "project.restore";
    await record(tx, actor, project, { action, before: { archived: !archived }, after: { archived } });
  });
}

/**
 * Adds an active person of the project's organisation; department admins can add people of their department.
 * @throws AppError forbidden, not_found; user_not_found when there is no such person to add.
 */
export async function addMember(
  db: Db,
  actor: Actor,
  projectId: number,
  who: { email: string } | { id: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const project = await readLockedProject(tx, actor, projectId);
    const departmentId = atLeast(actor.role, "org_admin") ? null : (actor.departmentId ?? 0);
    const person = await findJoinable(tx, project.organisationId, who, departmentId);
    if (person === null) {
      throw apiError("user_not_found", { key: "rejections:cannotJoinProject" });
    }
    if (!(await insertMember(tx, projectId, person.id))) return;
    const after = { userId: person.id, email: person.email };
    await record(tx, actor, project, { action: "project.member_add", after, subjectUserId: person.id });
  });
}

/**
 * Ends a membership; the person's keys leave the project too. They continue to work, and the person's payer outside of
 * projects pays. Returns the number of keys that left.
 * @throws AppError forbidden; not_found, also for a person who is not a member.
 */
export function removeMember(
  db: Db,
  actor: Actor,
  projectId: number,
  userId: number,
): Promise<{ keysRemoved: number }> {
  return inTransaction(db, async (tx) => {
    const project = await readLockedProject(tx, actor, projectId);
    if (!(await deleteMember(tx, projectId, userId))) throw noSuchProject();
    const keysRemoved = await withdrawProjectKeys(tx, actor, userId, { projectId });
    await record(tx, actor, project, {
      action: "project.member_remove",
      before: { userId },
      after: { keysRemoved },
      subjectUserId: userId,
    });
    return { keysRemoved };
  });
}

/** Returns a project that the actor may change, locked. @throws AppError forbidden, not_found */
export async function readLockedProject(tx: Db, actor: Actor, projectId: number): Promise<ProjectRow> {
  requireAdmin(actor);
  await lockProject(tx, projectId);
  return requireAccessible(tx, actor, projectId);
}

async function requireAccessible(db: Db, actor: Actor, projectId: number): Promise<ProjectRow> {
  const [project] = await findProjects(db, {
    accessScope: accessScopeOf(actor, null),
    q: null,
    state: "all",
    beforeId: null,
    onlyId: projectId,
    limit: 1,
    monthStart: monthStart(),
  });
  if (project === undefined) throw noSuchProject();
  return project;
}

function accessScopeOf(actor: Actor, onlyOrganisationId: number | null): ProjectScope {
  requireAdmin(actor);
  const { role, organisationId, userId } = actor;
  if (atLeast(role, "platform_admin")) {
    return onlyOrganisationId === null
      ? { kind: "everything" }
      : { kind: "organisation", organisationId: onlyOrganisationId };
  }
  return role === "org_admin" ? { kind: "organisation", organisationId } : { kind: "involved", organisationId, userId };
}

function requireAdmin(actor: Actor): void {
  if (!atLeast(actor.role, "department_admin")) throw apiError("forbidden");
}

async function refuseTakenName(tx: Db, organisationId: number, name: string, exceptId?: number): Promise<void> {
  if (!(await isProjectNamed(tx, organisationId, name, exceptId))) return;
  throw apiError("conflict", { key: "rejections:projectNameTaken", param: "name" });
}

const record = (
  tx: Db,
  actor: Actor,
  project: { id: number; name: string; organisationId: number },
  event: {
    action: AuditAction;
    before?: Record<string, unknown>;
    after?: Record<string, unknown>;
    subjectUserId?: number;
  },
) =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: event.action,
    target: { kind: "project", id: project.id, label: project.name },
    organisationId: project.organisationId,
    subjectUserId: event.subjectUserId ?? null,
    before: event.before ?? null,
    after: event.after ?? null,
  });

const noSuchProject = () => apiError("not_found", { key: "rejections:noProject" });

function monthStart(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
