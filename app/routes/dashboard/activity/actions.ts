/** What the audit log can be filtered by. */
export const TARGET_KINDS = ["user", "key", "organisation", "department", "project", "invite"] as const;
