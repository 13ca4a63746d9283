import type { Parties } from "./shared";

/** Whether two calls have the same wallet, scopes and exemption. */
export const isSameParties = (one: Parties, other: Parties): boolean =>
  one.keyId === other.keyId &&
  one.userId === other.userId &&
  one.departmentId === other.departmentId &&
  one.projectId === other.projectId &&
  one.organisationId === other.organisationId &&
  one.walletId === other.walletId &&
  one.exempt === other.exempt;
