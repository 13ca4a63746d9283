import type { Role, UserStatus } from "./shared";

export const PEOPLE_SORTS = ["newest", "email"] as const;
export type PeopleSort = (typeof PEOPLE_SORTS)[number];

/** What is looked for. Everything that is given must hold. Without a status, deleted people are left out. */
export type PeopleFilter = {
  /** Part of the name or address. */
  q?: string;
  organisationId?: number;
  /** 0: in no department. */
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
  /** At least so much spent this month. */
  spentNanoUsd?: bigint;
};
