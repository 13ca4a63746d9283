/** What the log is narrowed by: the id in a link, and the name that somebody types, which counts before the id. */
export const NAMED_FILTERS = [
  { kind: "key", id: "key", text: "key_name" },
  { kind: "person", id: "user", text: "person" },
  { kind: "department", id: "department", text: "department_name" },
  { kind: "project", id: "project", text: "project_name" },
  { kind: "organisation", id: "organisation", text: "organisation_name" },
] as const;
export type NamedFilter = (typeof NAMED_FILTERS)[number];
