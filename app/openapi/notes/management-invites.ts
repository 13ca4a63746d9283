import { z } from "zod";
import { INVITED_ROLES } from "~/domain/organisations/shared";
import type { NotesByOperation } from "../shared";
import { repeatable } from "./repeatable";

const Invite = z
  .looseObject({
    id: z.int(),
    email: z.string(),
    role: z.enum(INVITED_ROLES),
    organisation_id: z.int(),
    department_id: z.int().nullable(),
    department: z.string().nullable(),
    invited_by: z.string().nullable(),
    status: z.enum(["pending", "accepted", "revoked", "expired"]),
    delivery: z
      .enum(["mail", "operator"])
      .describe("`operator`: without a mail server, whoever runs the installation passes the link on."),
    created: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "Invite" });

const anInvite = { invite_id: "The id of an invitation of the key’s organisation." };

/** Invitations, with an admin key. */
export const managementInviteNotes: NotesByOperation = {
  "GET /v1/manage/invites": {
    summary: "List invitations, newest first",
    answer: z.object({
      data: z.array(Invite),
      next_cursor: z.string().nullable().describe("For `cursor`; null on the last page."),
    }),
    parameters: {
      limit: "1 to 200.",
      cursor: "`next_cursor` of the page before.",
      status: "`pending`: only those that can still be accepted.",
    },
    errors: ["permission_denied"],
  },
  "POST /v1/manage/invites": {
    headers: repeatable,
    summary: "Invite somebody by email",
    description:
      "The role has to stand below an organisation admin. An earlier invitation of the same address is revoked: inviting again resends.",
    answer: Invite,
    example: { email: "ada@example.com", role: "member" },
    errors: ["not_found", "forbidden", "conflict", "rate_limit_exceeded", "permission_denied"],
  },
  "GET /v1/manage/invites/{invite_id}": {
    summary: "Retrieve an invitation",
    answer: Invite,
    parameters: anInvite,
    errors: ["not_found", "permission_denied"],
  },
  "DELETE /v1/manage/invites/{invite_id}": {
    summary: "Revoke an invitation",
    description: "Repeating it changes nothing. An invitation that has been accepted cannot be revoked.",
    answer: Invite,
    parameters: anInvite,
    errors: ["not_found", "forbidden", "conflict", "permission_denied"],
  },
};
