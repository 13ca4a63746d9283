import { z } from "zod";
import type { Withdrawn } from "~/domain/identity/index.server";
import { Flag, Id } from "~/http/fields";

/**
 * Whether admin keys whose secret the person was told end as well, where they could not make them any more. Left out: yes.
 * A form sends its checked box before a hidden "no", and the first counts.
 */
export const RevokeAdminKeys = Flag.default(true);

/** What an act has ended of what the person leaves behind, for programs. */
export const withdrawnAnswer = ({ adminKeysRevoked, invitesRevoked }: Withdrawn) => ({
  revoked_admin_keys: adminKeysRevoked,
  revoked_invitations: invitesRevoked,
});

export const UserParams = z.object({ userId: Id });
export const OrganisationParams = z.object({ orgId: Id });
export const ProjectParams = z.object({ projectId: Id });
