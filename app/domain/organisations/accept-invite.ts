import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { joinByInvitation, lockPerson, type NewMember } from "~/domain/identity/index.server";
import type { Role } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { findInviteByToken, findInviterNames, type InviteRow, markAcceptedBy, redeemInvite } from "./invite-store";
import { hashOfToken, statusOf } from "./invites";
import { lockOrganisations } from "./organisation-store";
import type { InviteStatus } from "./shared";

/** What the landing page of an invitation says. */
export type InviteLanding = {
  status: InviteStatus;
  email: string;
  role: Role;
  organisation: string;
  department: string | null;
  invitedBy: string | null;
  expiresAt: Date;
};

/**
 * The invitation behind a link; null when there is none. Whoever has the link may read it; it does not say whether the
 * address has an account.
 */
export async function readInvite(db: Db, token: string): Promise<InviteLanding | null> {
  const row = await findInviteByToken(db, hashOfToken(token));
  if (row === null) return null;
  const names = row.invitedById === null ? new Map<number, string>() : await findInviterNames(db, [row.invitedById]);
  return landingOf(row, names.get(row.invitedById ?? 0) ?? null);
}

/**
 * Accepts an invitation, once, whoever is first: a new person gets an account, a signed-in one with the invited address moves
 * over. A failure leaves the link usable. Only a link that went out by mail proves the address. Returns who they are and where.
 * @throws AppError invalid_token when the link cannot be used; email_taken when the address has an account and nobody is
 *   signed in, or conflict when nothing proves the address; forbidden for another person; conflict for people who run the installation or pay for their organisation.
 */
export async function acceptInvite(
  db: Db,
  token: string,
  newcomer: NewMember,
): Promise<{ userId: number; organisationId: number; role: Role }> {
  const hash = hashOfToken(token);
  const seen = await findInviteByToken(db, hash);
  // Asked before the expensive hash of the password, so that guessed links cost next to nothing.
  if (seen === null || statusOf(seen, new Date()) !== "pending") throw notUsable();
  const join = await joinByInvitation(newcomer);
  return inTransaction(db, async (tx) => {
    // Before the invitation, as whoever ends an organisation or takes somebody's rank does.
    await lockOrganisations(tx, [seen.organisationId]);
    if (newcomer.kind === "signedIn") await lockPerson(tx, newcomer.actor.userId);
    const invite = await redeemInvite(tx, hash);
    if (invite === null) throw notUsable();
    const { email, organisation_id: organisationId, department_id: departmentId } = invite;
    const role = invite.role as Role;
    const proven = invite.delivery === "mail";
    const { userId } = await join(tx, { email, organisationId, departmentId, role, proven });
    await markAcceptedBy(tx, invite.id, userId);
    return { userId, organisationId, role };
  });
}

function landingOf(row: InviteRow, invitedBy: string | null): InviteLanding {
  return {
    status: statusOf(row, new Date()),
    email: row.email,
    role: row.role as Role,
    organisation: row.organisation.brandName ?? row.organisation.name,
    department: row.department?.name ?? null,
    invitedBy,
    expiresAt: row.expiresAt,
  };
}

const notUsable = () => apiError("invalid_token", { key: "rejections:inviteNotUsable" });
