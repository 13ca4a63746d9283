import { z } from "zod";
import { issue } from "~/errors/message";
import { atLeast, type Role } from "./ranks";

export { atLeast, ROLES, type Role, rankOfRole, USER_STATUSES, type UserStatus } from "./ranks";

const NO_ADDRESS = issue("problems:emailMalformed");

/** An e-mail address as it is stored: trimmed, lower case. */
export const EmailField = z
  .string()
  .trim()
  .min(1, issue("problems:enterEmail"))
  // The lower case of some non-ASCII letters, such as the kelvin sign, is an ASCII letter.
  .regex(/^\p{ASCII}*$/u, NO_ADDRESS)
  .toLowerCase()
  .max(254, issue("problems:emailTooLong"))
  .pipe(z.email(NO_ADDRESS));

/**
 * Characters that a line of text must not contain: control characters, lone surrogates, and marks that change the text
 * direction.
 */
export const NOT_IN_LINES = /[\p{Cc}\p{Surrogate}\u2028-\u202e\u2066-\u2069]/gu;

/** Returns whether a text is readable on one line: it has no forbidden character, and it is empty or visible. */
export const isLine = (text: string): boolean =>
  text.search(NOT_IN_LINES) < 0 && (text === "" || /[^\p{Z}\p{C}]/u.test(text));

export const PersonNameField = z
  .string()
  .trim()
  .min(1, issue("problems:enterName"))
  .max(120)
  .refine(isLine, issue("problems:nameUnshowable"));

const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_BYTES = 128;

/** A chosen password, taken as typed, including spaces. The server checks whether it is easy to guess. */
export const NewPasswordField = z
  .string()
  .min(MIN_PASSWORD_LENGTH)
  .refine((password) => new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES, issue("problems:passwordLong"))
  .refine((password) => new Set(password).size >= 5, issue("problems:passwordMonotonous"));

/** The form of the owner's set-up link. */
export const SetupForm = z
  .object({ email: EmailField, name: PersonNameField, password: NewPasswordField })
  .refine(({ email, password }) => !password.toLowerCase().includes(email), {
    path: ["password"],
    message: issue("problems:passwordHasEmail"),
  });
export type SetupForm = z.infer<typeof SetupForm>;

/** A checkbox, as a form or as JSON sends it. */
export const CheckedField = z
  .union([z.boolean(), z.enum(["on", "true", "1", "false", "0", ""])])
  .optional()
  .transform((checked) => checked === true || checked === "on" || checked === "true" || checked === "1");

/** A password that a person types to prove their identity. It may have been chosen under other rules. */
export const TypedPasswordField = z
  .string()
  .min(1, issue("problems:enterPassword"))
  .max(1_000, issue("problems:passwordLong"));

const NextField = z.string().max(2_000).optional();
const TokenField = z.string().max(200).default("");

/** The sign-up form. A weak password and an unchecked box have error codes of their own. */
export const RegisterForm = z.object({
  email: EmailField,
  name: PersonNameField,
  organisation: z.string().trim().max(120).refine(isLine, issue("problems:nameUnshowable")).optional(),
  password: z.string().max(1_000, issue("problems:passwordLong")).default(""),
  accept_terms: CheckedField,
  next: NextField,
});

export const LoginForm = z.object({ email: EmailField, password: TypedPasswordField, next: NextField });
export const EmailForm = z.object({ email: EmailField });
export const ResetForm = z.object({ token: TokenField, password: z.string().max(1_000).default("") });
export const VerifyForm = z.object({ token: TokenField, password: z.string().max(1_000).optional() });

/** The acceptance of the legal documents; `version` is the version that was shown, if the page knows it. */
export const LegalForm = z.object({ version: z.string().max(40).optional(), next: NextField });

/** Identity providers, by their names in URLs and rows. */
export const PROVIDERS = ["idp-a", "idp-b"] as const;
export type Provider = (typeof PROVIDERS)[number];

/**
 * A provider's verified claims about a person. Issuer and subject identify them permanently; the address may change.
 */
export type ExternalClaims = {
  provider: Provider;
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
};

/**
 * Whether a signed-in person may use the portal, or what blocks them. `terms`: they have not accepted the current
 * terms.
 */
export type AccountState = "ready" | "unverified" | "terms" | "suspended" | "archived";

/** A browser in which a person is signed in. */
export type SessionView = {
  id: number;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
  /** Whether this is the session of the request. */
  current: boolean;
};

/** The author of an operation in the portal: a signed-in person, with the view they have chosen. */
export type Actor = {
  userId: number;
  sessionId: number;
  email: string;
  name: string;
  role: Role;
  organisationId: number;
  departmentId: number | null;
  /** On: the actor sees all that their role gives access to; off: only their own data. */
  adminMode: boolean;
  /** In admin mode, the one organisation that a platform admin views; null: all. */
  adminOrganisationId: number | null;
  language: string;
  /** Network address of the request, for the audit log. */
  address: string;
  /** The admin key that the actor uses (`key_…`); absent: they act in the portal. */
  adminKey?: string;
};

/** The scope of an actor's lists. */
export type Scope =
  | { kind: "everything" }
  | { kind: "organisation"; organisationId: number }
  | { kind: "department"; organisationId: number; departmentId: number }
  | { kind: "own"; organisationId: number; userId: number };

/** The fields of an actor that decide what they see. */
export type Viewpoint = Pick<
  Actor,
  "userId" | "role" | "organisationId" | "departmentId" | "adminMode" | "adminOrganisationId"
>;

/** Returns the scope of an actor's lists, by role and chosen view. */
export function scopeOf(actor: Viewpoint): Scope {
  const { role, organisationId, departmentId, userId } = actor;
  if (actor.adminMode) {
    if (atLeast(role, "platform_admin")) {
      return actor.adminOrganisationId === null
        ? { kind: "everything" }
        : { kind: "organisation", organisationId: actor.adminOrganisationId };
    }
    if (role === "org_admin") return { kind: "organisation", organisationId };
    if (role === "department_admin" && departmentId !== null) {
      return { kind: "department", organisationId, departmentId };
    }
  }
  return { kind: "own", organisationId, userId };
}

/** Returns the author of an audit event. */
export const authorOf = ({ userId, email, adminKey, address }: Actor) => ({
  userId,
  label: adminKey === undefined ? email : `${email} by admin key ${adminKey}`,
  address,
});

/** State of a person's get-started page: whether they hid it, and the steps that they marked as done. */
export const OnboardingField = z.object({
  hidden: z.boolean().default(false),
  done: z.array(z.string()).default([]),
});
export type Onboarding = z.infer<typeof OnboardingField>;

/** A person's own account, for its settings page. */
export type OwnAccount = {
  email: string;
  name: string;
  role: Role;
  organisation: string;
  department: string | null;
  language: string | null;
  timeZone: string | null;
  hasPassword: boolean;
  verifiedAt: Date | null;
  createdAt: Date;
  identities: {
    id: number;
    provider: string;
    issuer: string;
    email: string;
    createdAt: Date;
    lastUsedAt: Date | null;
  }[];
  acceptances: { document: string; version: string; acceptedAt: Date }[];
  onboarding: Onboarding;
};
