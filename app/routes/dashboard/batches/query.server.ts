import { z } from "zod";
import { BATCH_STATES } from "~/domain/batches/shared";
import { orNothing } from "~/http/body/fields";

/** Filter of the list of batches, and the batch after which the page starts. */
export const BatchQuery = z.object({
  state: orNothing(z.enum(BATCH_STATES)),
  after: orNothing(z.string().max(100)),
});
