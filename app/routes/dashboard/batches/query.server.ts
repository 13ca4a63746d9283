import { z } from "zod";
import { BATCH_STATES } from "~/domain/batches/shared";
import { orNothing } from "~/http/fields";

/** What the list of batches is narrowed to, and behind which batch it goes on. */
export const BatchQuery = z.object({
  state: orNothing(z.enum(BATCH_STATES)),
  after: orNothing(z.string().max(100)),
});
