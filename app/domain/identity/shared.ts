import { z } from "zod";

/** An e-mail address as it is stored: trimmed, lower case. */
export const EmailField = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, "Enter an e-mail address.")
  .max(254, "This e-mail address is too long.")
  .pipe(z.email("This does not look like an e-mail address. Check it for typing errors."));

export const PersonNameField = z
  .string()
  .trim()
  .min(1, "Enter your name.")
  .max(120, "Use at most 120 characters.")
  .refine((name) => !/\p{Cc}/u.test(name), "This name contains characters that cannot be shown.");

export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD_BYTES = 128;

/** A password somebody chooses; taken as it is typed, spaces too. */
export const NewPasswordField = z
  .string()
  .min(SHORTEST_PASSWORD, `Use at least ${SHORTEST_PASSWORD} characters.`)
  .refine(
    (password) => new TextEncoder().encode(password).length <= LONGEST_PASSWORD_BYTES,
    "This password is too long.",
  )
  .refine((password) => new Set(password).size >= 5, "Use more different characters, for example several words.");

/** The form behind the owner's set-up link. */
export const SetupForm = z
  .object({ email: EmailField, name: PersonNameField, password: NewPasswordField })
  .refine(({ email, password }) => !password.toLowerCase().includes(email), {
    path: ["password"],
    message: "The password must not contain the e-mail address.",
  });
export type SetupForm = z.infer<typeof SetupForm>;

/** The terms that people accept today; a new version has to be accepted again. */
export const TERMS_VERSION = "1";
