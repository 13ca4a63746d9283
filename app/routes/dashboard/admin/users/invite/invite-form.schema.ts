import { z } from "zod";
import { EmailField } from "~/domain/accounts/shared";
import { INVITED_ROLES } from "~/domain/organisations/shared";
import { Id, OptionalId } from "~/http/body/fields";

/** An invitation: person, role, organisation and department. */
export const InviteForm = z.strictObject({
  email: EmailField,
  role: z.enum(INVITED_ROLES),
  org_id: Id.optional(),
  department_id: OptionalId.optional(),
});
