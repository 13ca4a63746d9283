import { z } from "zod";
import { profileNames } from "~/domain/catalogue/profiles";

/** The profile of a model by name; empty: chosen by the model's name. */
export const ProfileForm = z.strictObject({
  profile: z.enum(["", ...profileNames()]).transform((name) => (name === "" ? null : name)),
});
