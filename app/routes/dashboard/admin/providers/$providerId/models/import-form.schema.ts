import { z } from "zod";
import { orNothing } from "~/http/fields";
import { ModelName } from "../../../models/model-name";

/** Which model of a supplier's list is to be served; without one, all that have a list price. */
export const ImportForm = z.strictObject({ model: orNothing(ModelName) });
