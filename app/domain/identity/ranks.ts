/** Roles from the highest rank to the lowest. */
export const ROLES = ["owner", "platform_admin", "org_admin", "department_admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** 0 is the highest rank. */
export const rankOfRole = (role: Role): number => ROLES.indexOf(role);

/** Whether a role has at least the rank of another. */
export const atLeast = (role: Role, minimum: Role): boolean => rankOfRole(role) <= rankOfRole(minimum);

/** What an account can be; `deleted` is what remains of a person as a pseudonym. */
export const USER_STATUSES = ["active", "suspended", "archived", "deleted"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];
