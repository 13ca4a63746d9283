import { rejectionFix } from "./keys/RejectionText";

/** The remedy for a rejected first request, and its page. */
export type Remedy = { kind: (typeof REMEDIES)[number]; to: string };
const REMEDIES = ["sample", "funds", "budget", "rate", "key", "model", "administrator", "operator", "errors"] as const;

export type RemedyFacts = {
  code: string;
  /** The kind of the exceeded limit's owner, if a limit was exceeded. */
  scope: unknown;
  keyId: number;
  userId: number;
  /** The person can pay by card, for themselves or the organisation. */
  mayFund: boolean;
  isOrgAdmin: boolean;
  /** The command on the page names a free model, or at least one that the key may use. */
  sample: "free" | "usable" | null;
};

const SAMPLE = "#first-request";
const MODEL_CODES =
  /^(?:model_|capability_|no_providers_available$|supplier_price_unresolved$|autorouter_no_candidate$)/;
const ABOUT_KEYS = ["account_status", "expired_api_key", "origin_not_allowed", "sovereign_route_unavailable"];

/** Chooses the remedy by the error code of the client and the reader's rights. */
export function remedyFor(facts: RemedyFacts): Remedy {
  const { code, keyId, sample } = facts;
  const onKey = (kind: Remedy["kind"]): Remedy => ({
    kind,
    to: `/dashboard/keys/${keyId}${rejectionFix(code, "key")?.to ?? ""}`,
  });
  if (code === "billing_limit_reached" || code === "payment_required") return forMoney(facts);
  if (code === "budget_exceeded") return facts.scope === "key" ? onKey("budget") : forBudget(facts);
  if (code === "rate_limit_exceeded") return onKey("rate");
  if (ABOUT_KEYS.includes(code)) return onKey("key");
  if (!MODEL_CODES.test(code)) return { kind: "errors", to: `/api-docs/errors#${code}` };
  return sample === null ? { kind: "model", to: "/dashboard/models" } : { kind: "sample", to: SAMPLE };
}

function forMoney({ mayFund, isOrgAdmin, sample, code }: RemedyFacts): Remedy {
  if (sample === "free") return { kind: "sample", to: SAMPLE };
  if (mayFund) return { kind: "funds", to: "/dashboard/billing/fund" };
  return isOrgAdmin ? { kind: "operator", to: "/contact" } : administrator(code);
}

/** Administrators raise limits above a key; other people ask an administrator. */
function forBudget({ scope, isOrgAdmin, userId, code }: RemedyFacts): Remedy {
  if (!isOrgAdmin) return administrator(code);
  return {
    kind: "budget",
    to: scope === "user" ? `/dashboard/admin/users/${userId}` : "/dashboard/admin/organisation",
  };
}

const administrator = (code: string): Remedy => ({ kind: "administrator", to: `/api-docs/errors#${code}` });
