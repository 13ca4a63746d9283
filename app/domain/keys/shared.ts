import type { BudgetScope } from "~/domain/accounting/shared";
import type { Guardrails } from "~/domain/guardrails/shared";
import type { ConversationSettings } from "~/domain/organisations/shared";
import type { EffectiveAutorouter } from "./autorouter";

/**
 * The owner of a key, in their organisation, and of the data stored for it. `userId`: null for keys without an owner.
 */
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
export {
  KEY_SETTINGS,
  KeyName,
  type KeySettings,
  SETTING_COLUMNS,
  SETTING_INPUTS,
  SETTING_OUTPUTS,
  type SettingName,
  settingAnswers,
  settingCells,
  settingsOf,
} from "./settings";
export { KEY_KINDS, KEY_STATUSES, type KeyStatus } from "./words";

/**
 * The caller: a verified key with all data that the gateway needs to decide, cached in memory until the key changes.
 */
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
  /**
   * Web origins whose pages may call with it. Empty or absent: no page can read an answer, and no call is rejected for
   * its origin.
   */
  allowedOrigins?: readonly string[];
  rateLimitRpm: number | null;
  /** The wallet that pays. */
  walletId: number;
  /** The payer is not charged; budgets and rate limits still apply. */
  exempt: boolean;
  /**
   * Whether a budget of the key, its user, department, project or organisation has a limit, or the key has a rate
   * limit.
   */
  limited: boolean;
  /** Data for a rejection for lack of money, and how to respond to it. */
  spending?: {
    payer: string;
    /** Whether the payer is the key's owner. */
    paysItself: boolean;
    /** Scopes whose amounts the key's owner may see. */
    shown: readonly (BudgetScope | "wallet")[];
    /** Whether the key's metadata entry `fit_output` is `true`: a lower output limit instead of a rejection. */
    fitsOutput: boolean;
  };
  /** How the organisation stores requests and answers; null: it does not. */
  conversations?: ConversationSettings | null;
  /** Rules that reject, redact or flag parts of its requests and answers; null: none. */
  guardrails?: Guardrails | null;
  /** How `auto` chooses for the key, and the model for comparison. */
  autorouter?: Pick<EffectiveAutorouter, "algorithm" | "defaultModel">;
};
