import type { Role, UserStatus } from "~/domain/accounts/shared";

/** Statuses that an administrator can set. */
export const SETTABLE_STATUSES = ["active", "suspended", "archived"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** Orders of a list of people. */
export type PeopleSort = "newest" | "email";

/** Filters of a list of people. All that are present must match. Without a status, deleted people are left out. */
export type PeopleFilter = {
  /** Part of the name or address. */
  q?: string;
  organisationId?: number;
  /** 0: people without a department. */
  departmentId?: number;
  role?: Role;
  status?: UserStatus;
  billing?: "exempt" | "inherit" | "own";
  budget?: "set" | "none";
  credit?: "set" | "none";
  keys?: "some" | "none";
  linked?: "idp-a" | "idp-b" | "none";
  /** A version of the terms, or "none". */
  terms?: string;
  seen?: "1d" | "7d" | "30d" | "never";
  /** Minimum spent this month. */
  spentNanoUsd?: bigint;
};
