import { z } from "zod";
import { issue } from "~/errors/message";

/** A model, as clients or its supplier call it. */
export const ModelName = z
  .string()
  .trim()
  .min(1, issue("problems:fillIn"))
  .max(200)
  .regex(/^[\x21-\x7e]+$/, issue("problems:modelName"));
