import { AUDIT_ACTIONS, type AuditAction, type AuditEventView } from "~/domain/activity/shared";
import { parseUsd } from "~/values/money";
import { isOneOf } from "~/values/one-of";

/** A value within a sentence: an amount, a role, field names, or a text as recorded. */
export type Value =
  | { kind: "money"; nanoUsd: bigint }
  | { kind: "role"; role: string }
  | { kind: "fields"; names: readonly string[] }
  | { kind: "text"; text: string };

/** The sentence of an audit event: its key below `activity:sentences`, and its values. */
export type Sentence = { key: string; before?: Value; after?: Value; detail?: Value };

type Recorded = Pick<AuditEventView, "action" | "before" | "after">;
type Fields = Readonly<Record<string, unknown>>;
type Teller = (before: Fields, after: Fields) => Omit<Sentence, "key"> & { form: string };

/**
 * Returns the most specific sentence for the recorded values. Values missing from old rows are omitted, never guessed.
 * Null for an unknown action.
 */
export function sentenceOf({ action, before, after }: Recorded): Sentence | null {
  if (!isAuditAction(action)) return null;
  const { form, ...values } = TELLERS[action]?.(fieldsOf(before), fieldsOf(after)) ?? PLAIN;
  const key = form.includes(".") ? form : `${action}${form}`;
  return Object.values(values).some((value) => value === undefined) ? { key: action } : { key, ...values };
}

/** Returns a recorded value as an object; empty for any other type. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const isAuditAction = isOneOf(AUDIT_ACTIONS);
const PLAIN = { form: "" };

const text = (value: unknown): Value | undefined =>
  typeof value === "string" && value !== "" ? { kind: "text", text: value } : undefined;
const money = (value: unknown): Value | undefined =>
  /^-?\d+$/.test(String(value)) ? { kind: "money", nanoUsd: BigInt(String(value)) } : undefined;
const role = (value: unknown): Value | undefined =>
  typeof value === "string" ? { kind: "role", role: value } : undefined;

/** The direction of a change of an amount, such as `budget.raised`; null if it is unchanged. */
function move(family: "budget" | "credit", before: bigint | null, after: bigint | null): ReturnType<Teller> {
  const [was, is] = [before, after].map((nanoUsd) =>
    nanoUsd === null ? undefined : ({ kind: "money", nanoUsd } as const),
  );
  if (before === after) return PLAIN;
  if (was === undefined) return { form: "budget.set", after: is };
  if (is === undefined) return { form: "budget.removed", before: was };
  return { form: is.nanoUsd > was.nanoUsd ? `${family}.raised` : `${family}.lowered`, before: was, after: is };
}

const nanoUsd = (value: unknown): bigint | null => (/^-?\d+$/.test(String(value)) ? BigInt(String(value)) : null);
const budget: Teller = (before, after) => move("budget", nanoUsd(before.limitNanoUsd), nanoUsd(after.limitNanoUsd));
const credit: Teller = (before, after) =>
  "creditLimitNanoUsd" in before && "creditLimitNanoUsd" in after
    ? move("credit", nanoUsd(before.creditLimitNanoUsd), nanoUsd(after.creditLimitNanoUsd))
    : PLAIN;
const amount: Teller = (_, after) => ({ form: "_with", after: money(after.amountNanoUsd) });
const named =
  (name: string): Teller =>
  (before, after) => ({ form: "_with", detail: text(after[name]) ?? text(before[name]) });
const renamed =
  (form: string): Teller =>
  (before, after) => ({ form, before: text(before.name), after: text(after.name) });
const ofOrganisations = (value: unknown): Value | undefined =>
  text((Array.isArray(value) ? value : [value]).map((each) => fieldsOf(each).name ?? "").join(", "));

/** Actions whose sentences contain recorded values. */
const TELLERS: { readonly [action in AuditAction]?: Teller } = {
  "saved_report.rename": (before) => ({ form: "_with", before: text(before.name) }),
  "department.budget": budget,
  "department.rename": (before) => ({ form: "_with", before: text(before.name) }),
  "invite.accept": (_, after) => ({ form: "_with", after: role(after.role) }),
  "invite.create": (_, after) => ({ form: "_with", after: role(after.role) }),
  "auto_topup.save": (_, after) => ({
    form: "_with",
    before: money(after.thresholdNanoUsd),
    after: money(after.amountNanoUsd),
  }),
  "key.update": (before, after) => {
    const names = Object.keys(after);
    if (names.length === 1 && names[0] === "name") return renamed("_rename")(before, after);
    if (names.every((name) => name === "budget_limit" || name === "budget_period") && "budget_limit" in after) {
      const [was, is] = [before.budget_limit, after.budget_limit].map((limit) =>
        typeof limit === "string" ? parseUsd(limit) : null,
      );
      return move("budget", was ?? null, is ?? null);
    }
    return names.length === 0 ? PLAIN : { form: "_with", detail: { kind: "fields", names } };
  },
  "organisation.billing_user": named("email"),
  "organisation.billing_user_nominate": named("email"),
  "organisation.conversations": (before, after) =>
    before.stored === after.stored ? PLAIN : { form: after.stored === true ? "_on" : "_off" },
  "organisation.credit_limit": credit,
  "organisation.merge": (_, after) => ({ form: "_with", detail: ofOrganisations(after.from) }),
  "organisation.merged_away": (_, after) => ({ form: "_with", detail: ofOrganisations(after.into) }),
  "organisation.monthly_budget": budget,
  "organisation.wallet_credit": amount,
  "project.budget": budget,
  "project.member_add": named("email"),
  "project.update": (before, after) => (before.name === after.name ? PLAIN : renamed("_rename")(before, after)),
  "project.wallet_credit": amount,
  "hold.charge": (_, after) => ({ form: "_with", after: money(after.chargedNanoUsd) }),
  "promotion.redeem": amount,
  "user.alerts_webhook": named("host"),
  "user.billing_exempt": (_, after) => ({ form: after.billingExempt === true ? "_on" : "_off" }),
  "user.credit_limit": credit,
  "user.department": (_, after) => ({ form: "_with", after: text(after.department) }),
  "user.link": named("provider"),
  "user.monthly_budget": budget,
  "user.payer_ask": named("payer"),
  "user.payer_end": named("payer"),
  "user.name": renamed("_with"),
  "user.organisation": (before, after) => ({
    form: "_with",
    before: text(before.organisation),
    after: text(after.organisation),
  }),
  "user.role": (before, after) => ({ form: "_with", before: role(before.role), after: role(after.role) }),
  "user.spending_limit": (before, after) => ("creditLimitNanoUsd" in after ? credit : budget)(before, after),
  "user.status": (_, after) =>
    ["active", "suspended", "archived"].includes(String(after.status)) ? { form: `_${after.status}` } : PLAIN,
  "user.unlink": named("provider"),
  "user.wallet_credit": amount,
};
