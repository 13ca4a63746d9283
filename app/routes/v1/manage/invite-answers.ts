import type { InviteView } from "~/domain/organisations/shared";
import { encodeCursor } from "~/http/cursor";

/** An invitation in the management API. Only the email has its link. */
export const inviteAnswer = (invite: InviteView) => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  organisation_id: invite.organisationId,
  department_id: invite.departmentId,
  department: invite.department,
  invited_by: invite.invitedBy,
  status: invite.status,
  delivery: invite.delivery,
  created: invite.createdAt,
  expires_at: invite.expiresAt,
});

export const inviteListAnswer = ({
  invites,
  nextBeforeId,
}: {
  invites: InviteView[];
  nextBeforeId: number | null;
}) => ({
  data: invites.map(inviteAnswer),
  next_cursor: nextBeforeId === null ? null : encodeCursor("invites", nextBeforeId),
});
