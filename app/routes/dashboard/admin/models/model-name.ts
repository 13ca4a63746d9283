import { z } from "zod";
import { issue } from "~/errors/message";

/** A model's name, for clients or at its supplier. */
export const ModelName = z
  .string()
  .trim()
  .min(1, issue("problems:fillIn"))
  .max(200)
  .regex(/^[\x21-\x7e]+$/, issue("problems:modelName"));
