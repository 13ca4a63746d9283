import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { listActorKeys } from "~/domain/keys/index.server";
import { listNamed } from "~/domain/organisations/index.server";
import { listPeople } from "~/domain/people/index.server";
import { PEOPLE_BY_EMAIL } from "~/domain/people/shared";
import { Id } from "~/http/body/fields";

/** Kinds of objects that lists can be filtered by and that can be found by name. */
export const CANDIDATE_KINDS = ["key", "person", "department", "project", "organisation"] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

/** `detail` distinguishes objects with the same name. */
export type Candidate = { id: number; name: string; detail: string };

/** Maximum number of matches. */
const OFFERED = 20;

/**
 * Returns at most twenty objects of a kind that the reader may see and whose name contains a text. Keys and people also
 * match by other fields.
 */
export async function candidates(db: Db, reader: Actor, kind: CandidateKind, text: string): Promise<Candidate[]> {
  if (kind === "key") return keysNamed(db, reader, text);
  if (kind === "person") return peopleNamed(db, reader, text);
  const rows = await listNamed(db, reader, kind, { q: text, limit: OFFERED });
  const isElsewhere = kind !== "organisation" && scopeOf(reader).kind === "everything";
  return rows.map(({ id, name, organisation }) => ({ id, name, detail: isElsewhere ? organisation : "" }));
}

/** Keys with exactly this name come first, then other matches by name. */
async function keysNamed(db: Db, reader: Actor, search: string): Promise<Candidate[]> {
  const list = { sort: { by: "name", descending: false }, after: null, limit: OFFERED } as const;
  const [called, matches] = await Promise.all([
    listActorKeys(db, reader, { ...list, filter: { name: search } }),
    listActorKeys(db, reader, { ...list, filter: { search } }),
  ]);
  const known = new Set(called.keys.map(({ id }) => id));
  const keys = [...called.keys, ...matches.keys.filter(({ id }) => !known.has(id))].slice(0, OFFERED);
  return keys.map(({ id, name, owner, secretPrefix, secretLast4 }) => ({
    id,
    name,
    detail: [`${secretPrefix}…${secretLast4}`, owner?.name || owner?.email].filter(Boolean).join(" · "),
  }));
}

async function peopleNamed(db: Db, reader: Actor, q: string): Promise<Candidate[]> {
  if (scopeOf(reader).kind === "own" || !atLeast(reader.role, "department_admin")) return [];
  const { people } = await listPeople(db, reader, {
    filter: { q },
    sort: PEOPLE_BY_EMAIL,
    after: null,
    limit: OFFERED,
  });
  return people.map(({ id, name, email }) => ({ id, name: name || email, detail: email }));
}

/** Result for a typed text: one match, several to choose from, or none. An id has no name. */
export type Meant = { id: number | null; name: string | null; choices: readonly Candidate[] };

/**
 * Returns the matches of a text in the reader's scope; null without a text. A single exact match wins over partial
 * ones. A number without a match is an id, because deleted people have no name.
 */
export async function meantBy(
  db: Db,
  reader: Actor,
  kind: CandidateKind,
  text: string | undefined,
): Promise<Meant | null> {
  if (text === undefined) return null;
  const number = Id.safeParse(text);
  if (number.success && kind === "person") return { id: number.data, name: null, choices: [] };
  const matches = await candidates(db, reader, kind, text);
  const needle = text.toLowerCase();
  const named = matches.filter((each) => [each.name, each.detail].some((known) => known.toLowerCase() === needle));
  const [only, ...others] = named.length === 1 ? named : matches;
  if (only !== undefined && others.length === 0) return { id: only.id, name: only.name, choices: [] };
  if (only === undefined && number.success) return { id: number.data, name: null, choices: [] };
  return { id: null, name: text, choices: matches };
}
