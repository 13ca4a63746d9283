/** Statuses of a key; `expired` follows from its expiry date, the others are set. */
export const KEY_STATUSES = ["active", "suspended", "expired", "revoked"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];
export const KEY_KINDS = ["inference", "admin"] as const;
