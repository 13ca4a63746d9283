import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { UsageGroup, UsageTotal } from "./shared";

const TABLES: Partial<Record<UsageGroup, Prisma.Sql>> = {
  organisation: Prisma.sql`SELECT id, name FROM organisation`,
  key: Prisma.sql`SELECT id, name FROM api_key`,
  user: Prisma.sql`SELECT id, coalesce(nullif(name, ''), email) AS name FROM app_user`,
  department: Prisma.sql`SELECT id, name FROM department`,
  project: Prisma.sql`SELECT id, name FROM project`,
};

/**
 * Returns the names of usage groups; a group such as a model is its own name. Deleted groups and null are absent. The caller must have
 * checked that the groups are in the reader's scope.
 */
export async function nameGroups(
  db: Reads,
  by: UsageGroup,
  groups: readonly UsageTotal["group"][],
): Promise<Map<UsageTotal["group"], string>> {
  const table = TABLES[by];
  const known = groups.filter((group) => group !== null);
  if (table === undefined) return new Map(known.map((group) => [group, String(group)]));
  if (known.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM (${table}) named WHERE id = ANY (${known.map(Number)}::integer[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
