import type { Sort, SortType } from "~/connection/keyset-store";
import type { Role, UserStatus } from "~/domain/accounts/shared";

/** Statuses that an administrator can set. */
export const SETTABLE_STATUSES = ["active", "suspended", "archived"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** The orders of a list of people, with the types of their columns. */
export const PEOPLE_SORTS = {
  created: "int",
  email: "text",
  person: "text",
  role: "int",
  status: "text",
  seen: "timestamptz",
  department: "text",
  organisation: "text",
  keys: "int",
  spent: "bigint",
} as const satisfies Readonly<Record<string, SortType>>;
export type PeopleSort = Sort<keyof typeof PEOPLE_SORTS>;
export const NEWEST_PEOPLE: PeopleSort = { by: "created", descending: true };
export const PEOPLE_BY_EMAIL: PeopleSort = { by: "email", descending: false };

/** Filters of a list of people. All that are present must match. Without a status, deleted people are left out. */
export type PeopleFilter = {
  /** Part of the name or address. */
  q?: string;
  /** These people only. */
  ids?: readonly number[];
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
