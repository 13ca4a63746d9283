/** Targets by which the audit log can be filtered. */
export const TARGET_KINDS = ["user", "key", "organisation", "department", "project", "invite"] as const;
