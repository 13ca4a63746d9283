import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AuditEventFilter, AuditEventView, NewAuditEvent } from "./shared";

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

const asJson = (fields: NewAuditEvent["before"]) =>
  (fields ?? Prisma.DbNull) as Prisma.InputJsonObject | typeof Prisma.DbNull;
