import { z } from "zod";
import { CAPABILITIES } from "~/domain/catalogue/shared";
import { Id, orNothing } from "~/http/body/fields";

/** The query of the list of models. `key`: only models that this key may call. */
export const ModelsQuery = z.object({
  q: orNothing(z.string().trim().max(200)),
  capability: orNothing(z.enum(CAPABILITIES)),
  region: orNothing(z.string().max(63)),
  key: orNothing(Id),
});
export type ModelsQueryValues = z.output<typeof ModelsQuery>;

export const ModelParams = z.object({ modelId: z.string().min(1).max(200) });
