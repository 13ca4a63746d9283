import type { NewAct } from "~/domain/activity/shared";

/** Who changes a key, for the audit trail. */
export type KeyAuthor = NewAct["by"];

/** gw itself: the first start, and what the operator does at the terminal. */
export const OPERATOR: KeyAuthor = { userId: null, label: "operator" };

/** The author of what the management API does. */
export const authorOfAdminKey = (admin: { publicId: string }): KeyAuthor => ({
  userId: null,
  label: `admin key ${admin.publicId}`,
});
