import type { Db } from "~/db.server";
import { listPeople } from "~/domain/identity/index.server";
import { type Actor, atLeast, scopeOf } from "~/domain/identity/shared";
import { listActorKeys } from "~/domain/keys/index.server";
import { listNamed } from "~/domain/organisations/index.server";
import { Id } from "~/http/fields";

/** What lists are narrowed by, and found by its name. */
export const CANDIDATE_KINDS = ["key", "person", "department", "project", "organisation"] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

/** `detail` tells it apart from others of its name. */
export type Candidate = { id: number; name: string; detail: string };

/** So many are offered at most. */
const OFFERED = 20;

/** What a reader may see of a kind and whose name holds a text, at most twenty; of keys and people also what else they are known by. */
export async function candidates(db: Db, reader: Actor, kind: CandidateKind, text: string): Promise<Candidate[]> {
  if (kind === "key") return keysNamed(db, reader, text);
  if (kind === "person") return peopleNamed(db, reader, text);
  const found = await listNamed(db, reader, kind, { q: text, limit: OFFERED });
  const isElsewhere = kind !== "organisation" && scopeOf(reader).kind === "everything";
  return found.map(({ id, name, organisation }) => ({ id, name, detail: isElsewhere ? organisation : "" }));
}

/** First those that are called so, then others by name. */
async function keysNamed(db: Db, reader: Actor, search: string): Promise<Candidate[]> {
  const list = { sort: { by: "name", descending: false }, after: null, limit: OFFERED } as const;
  const [called, found] = await Promise.all([
    listActorKeys(db, reader, { ...list, filter: { name: search } }),
    listActorKeys(db, reader, { ...list, filter: { search } }),
  ]);
  const known = new Set(called.keys.map(({ id }) => id));
  const keys = [...called.keys, ...found.keys.filter(({ id }) => !known.has(id))].slice(0, OFFERED);
  return keys.map(({ id, name, owner, secretPrefix, secretLast4 }) => ({
    ...{ id, name },
    detail: [`${secretPrefix}…${secretLast4}`, owner?.name || owner?.email].filter(Boolean).join(" · "),
  }));
}

async function peopleNamed(db: Db, reader: Actor, q: string): Promise<Candidate[]> {
  if (scopeOf(reader).kind === "own" || !atLeast(reader.role, "department_admin")) return [];
  const { people } = await listPeople(db, reader, { filter: { q }, sort: "email", after: null, limit: OFFERED });
  return people.map(({ id, name, email }) => ({ id, name: name || email, detail: email }));
}

/** What is meant by what somebody typed: one, several to choose from, or nothing. A number has no name. */
export type Meant = { id: number | null; name: string | null; choices: readonly Candidate[] };

/**
 * What a text names, among what the reader may see; null: there is no text. One that alone has exactly this name is meant, whose else
 * holds it. A number that nothing is called by is the id of one, because people who are gone have no name any more.
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
  const found = await candidates(db, reader, kind, text);
  const wanted = text.toLowerCase();
  const named = found.filter((each) => [each.name, each.detail].some((known) => known.toLowerCase() === wanted));
  const [only, ...others] = named.length === 1 ? named : found;
  if (only !== undefined && others.length === 0) return { id: only.id, name: only.name, choices: [] };
  if (only === undefined && number.success) return { id: number.data, name: null, choices: [] };
  return { id: null, name: text, choices: found };
}
