import { z } from "zod";
import { orNothing } from "~/http/fields";
import { ModelName } from "../../../models/model-name";

/** To `test` the connection; or to `import`: which model of the supplier's list is to be served, without one all that have a list price. */
export const ImportForm = z.strictObject({
  act: z.enum(["import", "test"]).default("import"),
  model: orNothing(ModelName),
});
