import type { BudgetView } from "~/domain/accounting/shared";
import type { KeyStatus } from "./words";

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
  allowedOrigins: readonly string[];
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
