import { z } from "zod";
import type { RevokedAccess } from "~/domain/people/index.server";
import { Flag, Id } from "~/http/body/fields";

/**
 * Whether to revoke admin keys whose secret the person knows and which they could no longer create. Default: yes. A
 * form sends its checked box before a hidden "no", and the first value counts.
 */
export const RevokeAdminKeys = Flag.default(true);

/** Keys and invitations revoked by an action, for programs. */
export const withdrawnAnswer = ({ adminKeysRevoked, invitesRevoked }: RevokedAccess) => ({
  revoked_admin_keys: adminKeysRevoked,
  revoked_invitations: invitesRevoked,
});

export const UserParams = z.object({ userId: Id });
export const OrganisationParams = z.object({ orgId: Id });
export const ProjectParams = z.object({ projectId: Id });
