import { Prisma } from "~/generated/prisma/client";
import type { UsageScope } from "./shared";

/** Conditions of a scope, on columns that both tables have. */
export function scopeCondition(scope: UsageScope): Prisma.Sql {
  const { organisationId, organisationIds, keyIds, userIds, departmentIds, projectIds, models, suppliers, regions } =
    scope;
  const conditions = [Prisma.sql`true`];
  if (organisationId !== null) conditions.push(Prisma.sql`organisation_id = ${organisationId}`);
  const ids = (column: Prisma.Sql, list: readonly number[] | undefined) => {
    if (list !== undefined) conditions.push(Prisma.sql`${column} = ANY (${[...list]}::integer[])`);
  };
  const names = (column: Prisma.Sql, list: readonly string[] | undefined) => {
    if (list !== undefined) conditions.push(Prisma.sql`${column} = ANY (${[...list]}::text[])`);
  };
  ids(Prisma.sql`organisation_id`, organisationIds);
  ids(Prisma.sql`key_id`, keyIds);
  ids(Prisma.sql`user_id`, userIds);
  ids(Prisma.sql`department_id`, departmentIds);
  ids(Prisma.sql`project_id`, projectIds);
  names(Prisma.sql`model`, models);
  names(Prisma.sql`supplier`, suppliers);
  names(Prisma.sql`region`, regions);
  return Prisma.join(conditions, " AND ");
}

/** The keys of a scope by owner. Counts of rejections have no models, suppliers or regions. */
export const scopeKeys = (scope: UsageScope) => Prisma.sql`
  SELECT key_id FROM (SELECT id AS key_id, organisation_id, user_id, department_id, project_id FROM api_key) k
   WHERE ${scopeCondition({ ...scope, models: undefined, suppliers: undefined, regions: undefined })}`;
