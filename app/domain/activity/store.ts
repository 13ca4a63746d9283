import type { Db } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { ActFilter, ActView, NewAct } from "./shared";

export async function insertAct(db: Db, act: NewAct): Promise<void> {
  await db.act.create({
    data: {
      actorId: act.by.userId,
      actorLabel: act.by.label,
      address: act.by.address ?? "",
      action: act.action,
      targetKind: act.target.kind,
      targetId: String(act.target.id),
      targetLabel: act.target.label ?? "",
      organisationId: act.organisationId,
      departmentId: act.departmentId ?? null,
      subjectUserId: act.subjectUserId ?? null,
      before: asJson(act.before),
      after: asJson(act.after),
    },
    select: { id: true },
  });
}

export function findActs(db: Db, filter: ActFilter): Promise<ActView[]> {
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

const asJson = (fields: NewAct["before"]) => (fields ?? Prisma.DbNull) as Prisma.InputJsonObject | typeof Prisma.DbNull;
