import { z } from "zod";
import type { BudgetScope } from "~/domain/accounting/shared";
import type { Guardrails } from "~/domain/guardrails/shared";
import type { ConversationSettings } from "~/domain/organisations/shared";
import { issue } from "~/errors/message";
import type { EffectiveAutorouter } from "./autorouter";
import { originOf } from "./origin";

/** The owner of a key, in their organisation; what is kept for a key is theirs. `userId`: null for keys without an owner. */
export type KeyOwner = { organisationId: number; userId: number | null };

export {
  AUTOROUTER_ALGORITHMS,
  AUTOROUTER_CHOICES,
  type AutorouterAlgorithm,
  type AutorouterSetting,
  DEFAULT_ALGORITHM,
  effectiveAutorouter,
} from "./autorouter";
export type {
  InheritedLimit,
  KeyFilter,
  KeySort,
  LimiterState,
  PortalKey,
} from "./portal/shared";
export { KEY_SORTS } from "./portal/shared";
export { KEY_KINDS, KEY_STATUSES, type KeyStatus } from "./words";

/** Who calls: a verified key with everything the gateway needs to decide, cached in memory until the key changes. */
export type Caller = {
  keyId: number;
  publicId: string;
  kind: "inference" | "admin";
  organisationId: number;
  userId: number | null;
  departmentId: number | null;
  projectId: number | null;
  /** Empty: every model. */
  allowedModels: readonly string[];
  /** Empty: every region. */
  allowedRegions: readonly string[];
  /** Sites whose pages may call with it; empty or left out: no page reads an answer, and nobody is refused for the site. */
  allowedOrigins?: readonly string[];
  rateLimitRpm: number | null;
  /** The wallet that pays. */
  walletId: number;
  /** The payer is not charged; budgets and rate limits still hold. */
  exempt: boolean;
  /** Some budget of the key, its user, department, project or organisation has a limit, or the key has a rate limit. */
  limited: boolean;
  /** What a refusal for want of money may tell, and what is done about it. */
  spending?: {
    payer: string;
    /** The payer is whoever owns the key. */
    paysItself: boolean;
    /** Whose figures whoever holds the key may read. */
    shown: readonly (BudgetScope | "wallet")[];
    /** The key's metadata entry `fit_output` is `true`: a lower output ceiling instead of a refusal. */
    fitsOutput: boolean;
  };
  /** How the organisation stores requests and answers; null: not at all. */
  conversations?: ConversationSettings | null;
  /** What of its requests and answers is refused, redacted or flagged; null: nothing. */
  guardrails?: Guardrails | null;
  /** How `auto` chooses for the key, and what it is compared with. */
  autorouter?: Pick<EffectiveAutorouter, "algorithm" | "defaultModel">;
};

/** Text that the database can keep: no NUL, no half of a surrogate pair, and nothing that disturbs a line. */
const line = (maximum: number) =>
  z
    .string()
    .max(maximum)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
    .refine((text) => !/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(text), issue("problems:textUnreadable"));

export const KeyName = line(200)
  .transform((text) => text.trim())
  .refine((text) => /[^\p{Z}\p{C}]/u.test(text), issue("problems:nameEmpty"));

/** Models that the key may call; empty or null: every model. */
export const AllowedModels = z
  .array(line(200).min(1))
  .max(500)
  .nullable()
  .transform((models) => [...new Set(models ?? [])]);

const Region = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,62}$/, issue("problems:region"));

/** Regions that the key is locked to: one, several separated by commas, or a list; empty or null: every region. */
export const AllowedRegions = z
  .union([z.string(), z.array(z.string())], issue("problems:regions"))
  .nullable()
  .transform((given) => (typeof given === "string" ? (given.trim() === "" ? [] : given.split(",")) : (given ?? [])))
  .transform((regions) => [...new Set(regions.map((region) => region.trim()))])
  .pipe(z.array(Region).max(50));

/** Web origins whose pages may call with the key, as browsers send them; empty or null: none. */
export const AllowedOrigins = z
  .array(line(255).refine((origin) => originOf(origin.trim()) !== null, issue("problems:origin")))
  .max(50)
  .nullable()
  .transform((origins) => [...new Set((origins ?? []).map((origin) => originOf(origin.trim()) ?? origin))]);

/** Requests a minute; null: no limit. */
export const RateLimitRpm = z.int().min(1).max(1_000_000).nullable();

/** Free-form strings by name. */
export const KeyMetadata = z.preprocess(
  (value: Record<string, string> | null, context) => {
    // The record would leave it out without a word.
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
      context.addIssue({
        code: "custom",
        message: issue("problems:entryName", { name: "__proto__" }),
        path: ["__proto__"],
      });
    return value;
  },
  z
    .record(line(64).min(1), line(512))
    .nullable()
    .transform((metadata) => metadata ?? {})
    .refine((metadata) => Object.keys(metadata).length <= 64, issue("problems:tooMany", { most: 64 })),
);

/** The moment from which the key is refused, ISO 8601 with an offset; null: never. */
export const ExpiresAt = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() <= 9999, issue("problems:years"))
  .nullable();
