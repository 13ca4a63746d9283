import type { Db } from "~/db.server";
import type { KeyView } from "./key";
import { readKeyBudgets } from "./key-budget";
import { statusOf } from "./policy";
import type { KeyRow } from "./store";

/** Rows with their budgets, and their status at this moment. */
export async function viewsOf(db: Db, rows: readonly KeyRow[]): Promise<KeyView[]> {
  const budgets = await readKeyBudgets(
    db,
    rows.map(({ id }) => id),
  );
  const now = new Date();
  return rows.map((row) => ({
    id: row.id,
    publicId: row.publicId,
    kind: row.kind === "admin" ? "admin" : "inference",
    organisationId: row.organisationId,
    userId: row.userId,
    departmentId: row.departmentId,
    projectId: row.projectId,
    createdById: row.createdById,
    name: row.name,
    secretPrefix: row.secretPrefix,
    secretLast4: row.secretLast4,
    status: statusOf(row, now),
    allowedModels: row.allowedModels,
    allowedRegions: row.allowedRegions,
    allowedOrigins: row.allowedOrigins,
    rateLimitRpm: row.rateLimitRpm,
    metadata: row.metadata as Record<string, string>,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    rotatedAt: row.rotatedAt,
    revokedAt: row.revokedAt,
    previousValidUntil: row.previousValidUntil !== null && row.previousValidUntil > now ? row.previousValidUntil : null,
    budget: budgets.get(row.id) ?? null,
  }));
}

/** One row the same way. */
export async function viewOf(db: Db, row: KeyRow): Promise<KeyView> {
  const [view] = await viewsOf(db, [row]);
  return view!;
}
