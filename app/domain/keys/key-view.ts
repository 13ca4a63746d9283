import type { Db } from "~/db.server";
import type { BudgetView } from "~/domain/accounting/shared";
import { readKeyBudgets } from "./key-budget";
import { statusOf } from "./policy";
import type { KeyStatus } from "./shared";
import type { KeyRow } from "./store";

/** A key as people and programs see it: everything but its secret. */
export type KeyView = {
  id: number;
  publicId: string;
  kind: "inference" | "admin";
  organisationId: number;
  /** Whose it is; null: of its department, project or organisation as a whole. */
  userId: number | null;
  departmentId: number | null;
  projectId: number | null;
  /** Who made it; null: the operator, or an admin key. */
  createdById: number | null;
  name: string;
  secretPrefix: string;
  secretLast4: string;
  status: KeyStatus;
  allowedModels: readonly string[];
  allowedRegions: readonly string[];
  rateLimitRpm: number | null;
  metadata: Readonly<Record<string, string>>;
  expiresAt: Date | null;
  createdAt: Date;
  rotatedAt: Date | null;
  revokedAt: Date | null;
  /** Until then the secret before the last rotation works too. */
  previousValidUntil: Date | null;
  /** Null: it never had one. */
  budget: BudgetView | null;
};

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
