import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import {
  acceptLegal,
  hashPassword,
  isDuplicateKey,
  lockPerson,
  recordAbout,
  requireStrongPassword,
} from "~/domain/accounts/index.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { revokeExcessAccess } from "./orphaned-access";
import { movePerson } from "./place";
import { leaveRole } from "./role";
import { changePerson, findByEmail, insertInvitedPerson } from "./store";
import type { Target } from "./target";

/**
 * A person who accepts an invitation: new, with a name and a password; or signed in, with the address that the
 * invitation went to.
 */
export type NewMember =
  | { kind: "new"; name: string; password: string; language: string | null; address: string }
  | { kind: "signedIn"; actor: Actor };

/**
 * Makes an invited person a member. The slow part (hashing the password) runs here, and the returned function runs in
 * the caller's transaction. A new person's address counts as verified if the link was emailed to it, and the terms
 * count as accepted. A person who has an account moves over with their keys; keys and invitations that exceed their new
 * role are revoked. Returns the person's id.
 * @throws AppError email_taken; forbidden for another person's invitation; conflict for owners and platform admins.
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
  /** The link was emailed to the address and shown in no other way. */
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
  const emailTaken = () => (location.proven ? apiError("email_taken") : cannotOpen());
  if ((await findByEmail(tx, location.email)) !== null) throw emailTaken();
  try {
    const { id } = await insertInvitedPerson(tx, { ...location, name, language, passwordHash });
    await acceptLegal(tx, { userId: id, address });
    await recordJoin(tx, { userId: id, address }, location, {});
    return { userId: id };
  } catch (error) {
    throw isDuplicateKey(error) ? emailTaken() : error;
  }
}

// A link that was passed on by hand does not prove the address, so the error does not reveal whether an account exists.
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
    await revokeExcessAccess(tx, actor, target.id, { revokeAdminKeys: true });
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
