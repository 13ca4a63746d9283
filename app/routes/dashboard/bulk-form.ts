import { z } from "zod";
import { MOST_AT_ONCE } from "~/domain/activity/shared";
import { Id } from "~/http/body/fields";

/** The selected rows of a list. */
export const SelectedIds = z.array(Id).min(1).max(MOST_AT_ONCE);

/** The same in the address of a file: one id, or several. */
export const SelectedInAddress = z
  .union([Id, SelectedIds])
  .transform((ids) => (Array.isArray(ids) ? ids : [ids]))
  .optional();
