import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { KeyOwner } from "./shared";

/** Restricts a statement to the rows of an owner, in a table with `organisation_id` and `user_id`. */
export const ownedBy = ({ organisationId, userId }: KeyOwner): Prisma.Sql =>
  Prisma.sql`organisation_id = ${organisationId}::integer AND user_id IS NOT DISTINCT FROM ${userId}::integer`;

/**
 * Serialises writes for the owners of one organisation, until the transaction ends. Returns false when the organisation
 * is closed or the person is deleted.
 */
export async function lockOwner(tx: Db, { organisationId, userId }: KeyOwner): Promise<boolean> {
  const open = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM organisation o
     WHERE o.id = ${organisationId}::integer AND o.closed_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM app_user WHERE id = ${userId}::integer AND status = 'deleted')
       FOR NO KEY UPDATE OF o`;
  return open.length > 0;
}
