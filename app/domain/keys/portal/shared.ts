import type { BudgetScope } from "~/domain/accounting/shared";
import type { PayerReason } from "~/domain/identity/shared";
import type { KeyView } from "../key";
import type { KeyStatus } from "../words";

export const KEY_SORTS = ["created", "name", "expires", "spent"] as const;
export type KeySort = { by: (typeof KEY_SORTS)[number]; descending: boolean };

/** Which keys a list shows; everything that is given must hold. `model`: keys that may call it. */
export type KeyFilter = {
  status?: KeyStatus;
  ownerId?: number;
  projectId?: number;
  departmentId?: number;
  model?: string;
  search?: string;
  /** Its whole name, in any case. */
  name?: string;
};

/** What somebody may do with a key that they see. */
export type KeyRights = {
  /** Name, metadata, rotation, suspension and the end of the key. */
  change: boolean;
  /** Models, regions, budget, rate, expiry, project: not for the owner of a key whose limits somebody else has set. */
  limits: boolean;
};

/** A key with whom and what it belongs to, for the portal. */
export type PortalKey = KeyView & {
  organisation: { id: number; name: string };
  owner: { id: number; name: string; email: string; active: boolean } | null;
  department: { id: number; name: string } | null;
  project: { id: number; name: string } | null;
  /** Null: the operator, or an admin key. */
  createdBy: string | null;
  /** Why it cannot be used; null while it can. */
  stoppedBy: "revoked" | "suspended" | "expired" | "owner" | null;
};

/** A budget above a key. Amounts are null where the reader may know only how full it is. */
export type InheritedLimit = {
  scope: Exclude<BudgetScope, "key">;
  id: number;
  name: string;
  period: "daily" | "monthly" | "rolling";
  resetsAt: Date;
  /** 0 to 1 and more; of the limit. */
  spentShare: number;
  heldShare: number;
  amounts: { limitNanoUsd: bigint; spentNanoUsd: bigint; heldNanoUsd: bigint; availableNanoUsd: bigint } | null;
};

/** Everything above a key that can stop it, and who pays. */
export type InheritedLimits = {
  limits: InheritedLimit[];
  payer: {
    kind: "organisation" | "user" | "project";
    name: string;
    reason: PayerReason;
    /** Is not charged: the wallet never stops this key. */
    exempt: boolean;
    /** What the wallet still takes; null where the reader may not know it, or nothing is charged. */
    availableNanoUsd: bigint | null;
  };
};

/** A key's limiter of requests a minute. Without a limit nothing is counted. */
export type LimiterState = {
  keyId: number;
  at: Date;
  limit: number | null;
  /** Requests of the last 60 seconds that count. */
  used: number;
  /** How many are accepted at this moment; null: any number. */
  free: number | null;
  /** When one more is accepted; null: at once. */
  nextFreeAt: Date | null;
  /** Requests in each of the last 60 seconds, oldest first. */
  seconds: number[];
};
