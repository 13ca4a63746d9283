import { z } from "zod";
import { AUTOROUTER_CHOICES } from "~/domain/keys/shared";
import { Id } from "~/http/fields";

/** Empty: as the next wider setting says. */
const fields = {
  autorouter: z.enum(["", ...AUTOROUTER_CHOICES]),
  default_model: z.string().trim().max(200).default(""),
};

/** How `auto` chooses for somebody's keys. */
export const UserAutorouterForm = z.strictObject(fields);
/** The same of one key. */
export const KeyAutorouterForm = z.strictObject({ ...fields, key_id: Id });
/** The same of an organisation; without `org_id` the one that is looked at. */
export const OrganisationAutorouterForm = z.strictObject({ ...fields, org_id: Id.optional() });
