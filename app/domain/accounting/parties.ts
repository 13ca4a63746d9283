import type { Parties } from "./shared";

/** Whether two calls are paid by the same wallet, and count in the same scopes. */
export const isSameParties = (one: Parties, other: Parties): boolean =>
  one.keyId === other.keyId &&
  one.userId === other.userId &&
  one.departmentId === other.departmentId &&
  one.projectId === other.projectId &&
  one.organisationId === other.organisationId &&
  one.walletId === other.walletId &&
  one.exempt === other.exempt;
