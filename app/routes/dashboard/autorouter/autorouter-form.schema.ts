import { z } from "zod";
import { AUTOROUTER_CHOICES } from "~/domain/keys/shared";
import { Id } from "~/http/body/fields";

/** Empty: inherited from the next wider setting. */
const fields = {
  autorouter: z.enum(["", ...AUTOROUTER_CHOICES]),
  default_model: z.string().trim().max(200).default(""),
};

/** Setting of `auto` for a person's keys. */
export const UserAutorouterForm = z.strictObject(fields);
/** Setting of `auto` for a key. */
export const KeyAutorouterForm = z.strictObject({ ...fields, key_id: Id });
/** Setting of `auto` for an organisation; without `org_id` the one in view. */
export const OrganisationAutorouterForm = z.strictObject({ ...fields, org_id: Id.optional() });
