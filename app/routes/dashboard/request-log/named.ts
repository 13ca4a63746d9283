/** Filters of the log: the id from a link, and the typed name, which takes precedence. */
export const NAMED_FILTERS = [
  { kind: "key", id: "key", text: "key_name" },
  { kind: "person", id: "user", text: "person" },
  { kind: "department", id: "department", text: "department_name" },
  { kind: "project", id: "project", text: "project_name" },
  { kind: "organisation", id: "organisation", text: "organisation_name" },
] as const;
export type NamedFilter = (typeof NAMED_FILTERS)[number];
