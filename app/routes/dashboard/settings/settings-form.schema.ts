import { z } from "zod";
import { NewPasswordField, PersonNameField } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";
import { LANGUAGES } from "~/i18n/languages";
import { THEMES } from "~/ui/theme/theme";
import { timeZoneNamed } from "~/values/time-range";

const Id = z.coerce.number().int().positive().max(2_147_483_647);

const Profile = z.object({ intent: z.literal("profile"), name: PersonNameField });

const Appearance = z.object({
  intent: z.literal("looks"),
  language: z.enum(LANGUAGES).optional(),
  time_zone: z
    .string()
    .trim()
    .max(64)
    .refine((name) => name === "" || timeZoneNamed(name) !== null, issue("problems:timeZone"))
    .transform((name) => (name === "" ? null : timeZoneNamed(name)))
    .optional(),
  theme: z.enum(THEMES).optional(),
});

const Password = z
  .object({
    intent: z.literal("password"),
    current_password: z.string().max(1_000).default(""),
    new_password: NewPasswordField,
    repeat_password: z.string().max(1_000).optional(),
  })
  .refine(({ new_password, repeat_password }) => repeat_password === undefined || new_password === repeat_password, {
    path: ["repeat_password"],
    message: issue("problems:notTheSame"),
  });

const Sessions = z.object({ intent: z.literal("end_others") });
const Session = z.object({ intent: z.literal("end_session"), session_id: Id });
const Unlink = z.object({ intent: z.literal("unlink"), identity_id: Id });

/**
 * All actions of the settings page, selected by `intent`. A body with a name and without an intent changes the name.
 */
export const SettingsForm = z.preprocess(
  (input) =>
    typeof input === "object" && input !== null && !("intent" in input) && "name" in input
      ? { ...input, intent: "profile" }
      : input,
  z.discriminatedUnion("intent", [Profile, Appearance, Password, Sessions, Session, Unlink]),
);
export type SettingsForm = z.output<typeof SettingsForm>;

/** The body of the endpoint for the display name. Other properties are ignored. */
export const DisplayName = z
  .looseObject({ display_name: PersonNameField.optional(), name: PersonNameField.optional() })
  .transform(({ display_name, name }, context) => {
    const chosen = display_name ?? name;
    if (chosen !== undefined) return { name: chosen };
    context.addIssue({ code: "custom", path: ["display_name"], message: issue("problems:enterName") });
    return z.NEVER;
  });
