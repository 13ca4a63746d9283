import { db } from "~/connection/db.server";
import type { Actor, Role } from "~/domain/accounts/shared";
import { AppError } from "~/errors/app-error";

/** Rows for tests about people: organisations with departments, and people of any role in them. */
let made = 0;

export async function anOrganisation(
  more: { name?: string; billingExempt?: boolean; creditCeilingNanoUsd?: bigint } = {},
): Promise<{ id: number }> {
  made += 1;
  return db().organisation.create({
    data: {
      name: more.name ?? `Organisation ${made}`,
      slug: `organisation-${made}`,
      billingExempt: more.billingExempt ?? false,
      creditCeilingNanoUsd: more.creditCeilingNanoUsd ?? 0n,
    },
    select: { id: true },
  });
}

export async function aDepartment(organisationId: number, name?: string): Promise<{ id: number }> {
  made += 1;
  return db().department.create({ data: { organisationId, name: name ?? `Department ${made}` }, select: { id: true } });
}

export async function aPerson(
  organisationId: number,
  role: Role,
  more: { departmentId?: number | null; email?: string; status?: string; name?: string } = {},
): Promise<{ id: number; email: string }> {
  made += 1;
  const email = more.email ?? `${role}-${made}@example.com`;
  return db().user.create({
    data: {
      email,
      name: more.name ?? `Person no. ${made}`,
      organisationId,
      role,
      departmentId: more.departmentId ?? null,
      status: more.status ?? "active",
      emailVerifiedAt: new Date(),
    },
    select: { id: true, email: true },
  });
}

/** Returns the actor of a person who works in the portal, in the admin view. */
export async function actorFor(userId: number, more: Partial<Actor> = {}): Promise<Actor> {
  const person = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const { email, name, organisationId, departmentId } = person;
  return {
    userId,
    sessionId: 0,
    email,
    name,
    role: person.role as Role,
    organisationId,
    departmentId,
    adminMode: true,
    adminOrganisationId: null,
    language: "en",
    address: "203.0.113.7",
    ...more,
  };
}

/** Creates a person and returns their actor. */
export async function anActor(
  organisationId: number,
  role: Role,
  more: { departmentId?: number | null } = {},
): Promise<Actor> {
  return actorFor((await aPerson(organisationId, role, more)).id);
}

/** Returns the outcome of an action: "ok" or an error code of the catalogue. Rethrows every other exception. */
export const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );
