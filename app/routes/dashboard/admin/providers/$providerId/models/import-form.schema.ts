import { z } from "zod";
import { orNothing } from "~/http/body/fields";
import { ModelName } from "../../../models/model-name";

/**
 * `test` checks the connection. `import` serves one model of the supplier's list, or without `model` all with a list
 * price.
 */
export const ImportForm = z.strictObject({
  act: z.enum(["import", "test"]).default("import"),
  model: orNothing(ModelName),
});
