import { z } from "zod";
import { EmailField } from "~/domain/accounts/shared";
import { INVITED_ROLES } from "~/domain/organisations/shared";
import { cursorOf, pageSize } from "./key-requests";

const MAX_INVITE_ID = 2_147_483_647n;
const MAX_DEPARTMENT_ID = 2_147_483_647;

/** An invitation into the key's organisation: person, role and department. */
export const CreateInvite = z.strictObject({
  email: EmailField,
  role: z.enum(INVITED_ROLES),
  department_id: z.int().min(1).max(MAX_DEPARTMENT_ID).nullable().optional(),
});

export const ListInvites = z
  .object({
    limit: pageSize(200).default(50),
    cursor: cursorOf("invites", MAX_INVITE_ID).optional(),
    status: z.enum(["pending", "all"]).default("all"),
  })
  .transform(({ limit, cursor, status }) => ({
    limit,
    beforeId: cursor === undefined ? null : Number(cursor),
    pendingOnly: status === "pending",
  }));
