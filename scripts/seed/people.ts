import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { joinByInvitation } from "~/domain/people/index.server";
import { addressOf, type CastOrganisation, type CastPerson } from "./cast";
import type { Random } from "./random";

/** A person of the demo, as an actor in the portal. */
export type SeededPerson = CastPerson & { actor: Actor };

export type SeededOrganisation = {
  cast: CastOrganisation;
  id: number;
  departments: ReadonlyMap<string, number>;
  people: SeededPerson[];
};

/** The leader of an organisation: its first person. */
export const leaderOf = ({ people }: SeededOrganisation): Actor => people[0]!.actor;

/** Adds a member to an organisation, with the demo's password, like an accepted invitation. */
export async function join(
  organisation: SeededOrganisation,
  cast: CastPerson,
  { password, random }: { password: string; random: Random },
): Promise<SeededPerson> {
  const { name, role, department, language } = cast;
  const email = addressOf(name, organisation.cast.domain);
  const departmentId = department === null ? null : organisation.departments.get(department)!;
  const address = `198.51.100.${random.between(2, 250)}`;
  const newcomer = { kind: "new", name, password, language: language ?? null, address } as const;
  const joining = await joinByInvitation(newcomer);
  const place = { email, organisationId: organisation.id, departmentId, role, proven: true };
  const { userId } = await inTransaction(db(), (tx) => joining(tx, place));
  const person = { ...cast, actor: actorOf({ userId, email, address }, organisation.id, { ...cast, departmentId }) };
  organisation.people.push(person);
  return person;
}

/** A signed-in person in the view of their role. */
export function actorOf(
  { userId, email, address }: { userId: number; email: string; address: string },
  organisationId: number,
  { name, role, departmentId }: Pick<CastPerson, "name" | "role"> & { departmentId: number | null },
): Actor {
  const adminMode = atLeast(role, "department_admin");
  const view = { adminMode, adminOrganisationId: null, sessionId: 0, language: "en" };
  return { userId, email, address, name, role, organisationId, departmentId, ...view };
}
