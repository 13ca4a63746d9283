import type { Sort, SortType } from "~/connection/keyset-store";
import type { BudgetScope } from "~/domain/accounting/shared";
import type { PayerReason } from "~/domain/payers/shared";
import type { KeyView } from "../key";
import type { KeyStatus } from "../words";

/** The orders of a list of keys, with the types of their columns. */
export const KEY_SORTS = {
  created: "int",
  name: "text",
  status: "text",
  owner: "text",
  organisation: "text",
  expires: "timestamptz",
  spent: "bigint",
  used: "timestamptz",
  month: "bigint",
  rpm: "int",
} as const satisfies Readonly<Record<string, SortType>>;
export type KeySort = Sort<keyof typeof KEY_SORTS>;

/** Filters of a list of keys; all that are present must match. `model`: keys that may call it. */
export type KeyFilter = {
  status?: KeyStatus;
  ownerId?: number;
  projectId?: number;
  departmentId?: number;
  model?: string;
  /** These keys only. */
  ids?: readonly number[];
  search?: string;
  /** Its full name, ignoring case. */
  name?: string;
};

/** An actor's rights on a key. */
export type KeyRights = {
  /** Name, metadata, rotation, suspension and revocation. */
  change: boolean;
  /** Models, regions, budget, rate, expiry, project. Not for the owner of a key whose limits another person has set. */
  limits: boolean;
};

/** A key with its owner, organisation, department and project, for the portal. */
export type PortalKey = KeyView & {
  organisation: { id: number; name: string };
  owner: { id: number; name: string; email: string; active: boolean } | null;
  department: { id: number; name: string } | null;
  project: { id: number; name: string } | null;
  /** Null: created by the operator or by an admin key. */
  createdBy: string | null;
  /** Why the key cannot be used; null while it can. */
  stoppedBy: "revoked" | "suspended" | "expired" | "owner" | null;
};

/** A budget above a key. Amounts are null if the reader may only see how full it is. */
export type InheritedLimit = {
  scope: Exclude<BudgetScope, "key">;
  id: number;
  name: string;
  period: "daily" | "monthly" | "rolling";
  resetsAt: Date;
  /** Fraction of the limit, which can exceed 1. */
  spentShare: number;
  heldShare: number;
  amounts: { limitNanoUsd: bigint; spentNanoUsd: bigint; heldNanoUsd: bigint; availableNanoUsd: bigint } | null;
};

/** The budgets above a key that can stop it, and the payer. */
export type InheritedLimits = {
  limits: InheritedLimit[];
  payer: {
    kind: "organisation" | "user" | "project";
    name: string;
    reason: PayerReason;
    /** The payer is not charged, so the wallet never stops this key. */
    exempt: boolean;
    /** Available balance of the wallet; null if the reader may not see it, or if the payer is exempt. */
    availableNanoUsd: bigint | null;
  };
};

/** State of a key's requests-per-minute limiter. Without a limit nothing is counted. */
export type LimiterState = {
  keyId: number;
  at: Date;
  limit: number | null;
  /** Requests of the last 60 seconds that count. */
  used: number;
  /** Number of requests that would be accepted now; null: unlimited. */
  free: number | null;
  /** Time of the next accepted request; null: now. */
  nextFreeAt: Date | null;
  /** Requests in each of the last 60 seconds, oldest first. */
  seconds: number[];
};
