import { z } from "zod";
import { MODEL_FILTERS } from "./filters";

/** The query of the list of models. */
export const ModelsQuery = z.object(MODEL_FILTERS.query);
export type ModelsQueryValues = z.output<typeof ModelsQuery>;

export const ModelParams = z.object({ modelId: z.string().min(1).max(200) });
