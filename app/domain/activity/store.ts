import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AuditEventFilter, AuditEventView, NewAuditEvent, TargetEvent } from "./shared";

export async function insertAuditEvent(db: Db, event: NewAuditEvent): Promise<void> {
  await db.act.create({
    data: {
      actorId: event.by.userId,
      actorLabel: event.by.label,
      address: event.by.address ?? "",
      action: event.action,
      targetKind: event.target.kind,
      targetId: String(event.target.id),
      targetLabel: event.target.label ?? "",
      organisationId: event.organisationId,
      departmentId: event.departmentId ?? null,
      subjectUserId: event.subjectUserId ?? null,
      before: asJson(event.before),
      after: asJson(event.after),
    },
    select: { id: true },
  });
}

export function findAuditEvents(db: Db, filter: AuditEventFilter): Promise<AuditEventView[]> {
  const { organisationId, departmentId, userId, actorId, action, targetKind, targetId, since, until, beforeId } =
    filter;
  return db.act.findMany({
    where: {
      organisationId,
      departmentId,
      actorId,
      action,
      targetKind,
      targetId,
      at: { gte: since, lt: until },
      id: { lt: beforeId },
      ...(userId === undefined ? {} : { OR: [{ actorId: userId }, { subjectUserId: userId }] }),
    },
    orderBy: { id: "desc" },
    take: filter.limit,
    select: {
      id: true,
      at: true,
      actorId: true,
      actorLabel: true,
      organisationId: true,
      action: true,
      targetKind: true,
      targetId: true,
      targetLabel: true,
      before: true,
      after: true,
      address: true,
    },
  });
}

/** Returns the newest event of each target, by its id. A target without events is missing. */
export async function findNewestEvents(
  db: Db,
  kind: string,
  ids: readonly (string | number)[],
): Promise<Map<string, TargetEvent>> {
  const rows = await db.$queryRaw<(TargetEvent & { targetId: string })[]>`
    SELECT DISTINCT ON (target_id) target_id AS "targetId", id, action, before
      FROM act WHERE target_kind = ${kind} AND target_id = ANY (${ids.map(String)}::text[]) ORDER BY target_id, id DESC`;
  return new Map(rows.map(({ targetId, ...event }) => [targetId, event]));
}

const asJson = (fields: NewAuditEvent["before"]) =>
  (fields ?? Prisma.DbNull) as Prisma.InputJsonObject | typeof Prisma.DbNull;
