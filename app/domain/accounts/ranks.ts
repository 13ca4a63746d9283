/** Roles from the highest rank to the lowest. */
export const ROLES = ["owner", "platform_admin", "org_admin", "department_admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** 0 is the highest rank. */
export const rankOfRole = (role: Role): number => ROLES.indexOf(role);

/** Returns whether a role ranks at least as high as `minimum`. */
export const atLeast = (role: Role, minimum: Role): boolean => rankOfRole(role) <= rankOfRole(minimum);

/** Statuses of an account; `deleted` is the remaining pseudonym of a person. */
export const USER_STATUSES = ["active", "suspended", "archived", "deleted"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];
