import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { lockPerson } from "~/domain/accounts/index.server";
import type { Role } from "~/domain/accounts/shared";
import { joinByInvitation, type NewMember } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import { lockOrganisations } from "../organisation-store";
import type { InviteStatus } from "../shared";
import { findInviteByToken, findInviterNames, type InviteRow, markAcceptedBy, redeemInvite } from "./invite-store";
import { hashOfToken, statusOf } from "./invites";

/** Data of an invitation's landing page. */
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
 * Returns the invitation of a link; null when there is none. Anyone who has the link may read it; it does not reveal
 * whether the address has an account.
 */
export async function readInvite(db: Db, token: string): Promise<InviteLanding | null> {
  const row = await findInviteByToken(db, hashOfToken(token));
  if (row === null) return null;
  const names = row.invitedById === null ? new Map<number, string>() : await findInviterNames(db, [row.invitedById]);
  return landingOf(row, names.get(row.invitedById ?? 0) ?? null);
}

/**
 * Accepts an invitation. It works once: of concurrent requests one succeeds, and a failure leaves the link usable. A
 * new person gets an account; a signed-in person with the invited address moves to the organisation. Only an emailed
 * link proves the address. Returns the person and their location.
 * @throws AppError invalid_token when the link cannot be used; email_taken when the address has an account and the
 *   visitor is not signed in, or conflict when nothing proves the address; forbidden for another person; conflict for
 *   owners and platform admins, and for people who pay for their organisation.
 */
export async function acceptInvite(
  db: Db,
  token: string,
  newcomer: NewMember,
): Promise<{ userId: number; organisationId: number; role: Role }> {
  const hash = hashOfToken(token);
  const unlocked = await findInviteByToken(db, hash);
  // Checked before the expensive hash of the password, so that guessed links cost almost nothing.
  if (unlocked === null || statusOf(unlocked, new Date()) !== "pending") throw notUsable();
  const join = await joinByInvitation(newcomer);
  return inTransaction(db, async (tx) => {
    // Locked before the invitation, as closing an organisation and changing a role do.
    await lockOrganisations(tx, [unlocked.organisationId]);
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
