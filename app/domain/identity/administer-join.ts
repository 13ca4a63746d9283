import { publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { movePerson } from "./administer-place";
import { leaveRole } from "./administer-role";
import { changePerson, findByEmail, insertInvitedPerson, isDuplicateKey, lockPerson } from "./administer-store";
import { recordAbout, type Target } from "./administer-target";
import { withdraw } from "./left-behind";
import { acceptLegal } from "./legal";
import { requireStrongPassword } from "./new-password";
import { hashPassword } from "./password";
import { type Actor, atLeast, type Role } from "./shared";

/** Somebody who comes by an invitation: new here, with a name and a password; or signed in, with the address it was sent to. */
export type NewMember =
  | { kind: "new"; name: string; password: string; language: string | null; address: string }
  | { kind: "signedIn"; actor: Actor };

/**
 * Makes the person of an invitation a member, in the caller's transaction: `prepare` does the slow part before it begins.
 * A new person's address counts as verified if the link came to it by mail, and the terms as accepted. Somebody who has an
 * account moves over with their keys; what carries the rank that they had is revoked. Returns the person's id.
 * @throws AppError email_taken; forbidden for another person's invitation; conflict for people who run the installation
 */
export async function joinByInvitation(newcomer: NewMember): Promise<Join> {
  if (newcomer.kind === "new") requireStrongPassword(newcomer.password);
  const passwordHash = newcomer.kind === "new" ? await hashPassword(newcomer.password) : "";
  return (tx, location) =>
    newcomer.kind === "new" ? create(tx, location, newcomer, passwordHash) : move(tx, location, newcomer.actor);
}

type Location = {
  email: string;
  organisationId: number;
  departmentId: number | null;
  role: Role;
  /** The link went to the address by mail, and to nobody else. */
  proven: boolean;
};
type Join = (tx: Db, location: Location) => Promise<{ userId: number }>;

async function create(
  tx: Db,
  location: Location,
  newcomer: Extract<NewMember, { kind: "new" }>,
  passwordHash: string,
): Promise<{ userId: number }> {
  const { name, password, language, address } = newcomer;
  requireStrongPassword(password, location.email);
  const taken = () => (location.proven ? apiError("email_taken") : cannotOpen());
  if ((await findByEmail(tx, location.email)) !== null) throw taken();
  try {
    const { id } = await insertInvitedPerson(tx, { ...location, name, language, passwordHash });
    await acceptLegal(tx, { userId: id, address });
    await recordJoin(tx, { userId: id, address }, location, {});
    return { userId: id };
  } catch (error) {
    throw isDuplicateKey(error) ? taken() : error;
  }
}

// Who has a link that was passed on has not proven the address, so it is not said whether there is an account.
const cannotOpen = () =>
  apiError("conflict", {
    key: "problems:inviteCannotOpen",
  });

async function move(tx: Db, location: Location, actor: Actor): Promise<{ userId: number }> {
  if (actor.email !== location.email) {
    throw apiError("forbidden", { key: "rejections:inviteForAnother" });
  }
  await lockPerson(tx, actor.userId);
  const target = (await findByEmail(tx, location.email)) as Target | null;
  if (target === null) throw apiError("not_found");
  if (atLeast(target.role, "platform_admin")) {
    throw apiError("conflict", { key: "rejections:runsInstallation" });
  }
  const { organisationId, departmentId, role } = location;
  if (target.organisationId === organisationId) {
    await changePerson(tx, target.id, { departmentId: departmentId ?? target.departmentId, role });
    await withdraw(tx, actor, target.id, { revokeAdminKeys: true });
    if (role !== target.role) {
      await leaveRole(tx, actor, { userId: target.id, from: target.role, to: role });
    }
    await publish(tx, "keys");
  } else {
    await movePerson(tx, actor, target, { organisationId, departmentId, role, revokeAdminKeys: true });
  }
  const before = { organisationId: target.organisationId, role: target.role };
  await recordJoin(tx, { userId: target.id, address: actor.address }, location, before);
  return { userId: target.id };
}

function recordJoin(
  tx: Db,
  person: { userId: number; address: string },
  location: Location,
  before: Record<string, unknown>,
): Promise<void> {
  const { email, organisationId, departmentId, role } = location;
  const by = { userId: person.userId, email, address: person.address } as Actor;
  const target = { id: person.userId, email, organisationId, departmentId } as Target;
  return recordAbout(tx, by, target, { action: "invite.accept", before, after: { organisationId, role } });
}
