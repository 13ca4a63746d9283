import { useTranslation } from "react-i18next";
import type { Rejection } from "~/domain/request-log/shared";
import { CATALOGUE } from "~/errors/catalogue";
import { shortageMessages } from "~/errors/shortage-words";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { isOneOf } from "~/values/one-of";
import { useReasons } from "../reasons";

type Fix = "model" | "budget" | "rate" | "region" | "pay" | "resume" | "expiry";

type PlacedFix = { fix: Fix; to: string };

const FIXES: Readonly<Record<string, PlacedFix>> = {
  model_not_allowed: { fix: "model", to: "#policy" },
  budget_exceeded: { fix: "budget", to: "#policy" },
  rate_limit_exceeded: { fix: "rate", to: "#policy" },
  sovereign_route_unavailable: { fix: "region", to: "#policy" },
  billing_limit_reached: { fix: "pay", to: "#gates" },
  payment_required: { fix: "pay", to: "#gates" },
  account_status: { fix: "resume", to: "#end" },
  expired_api_key: { fix: "expiry", to: "#policy" },
};

/**
 * Returns the remedy for a rejection on the page of its key, if there is one; `to` is the anchor on that page. `scope`:
 * owner of the exceeded budget. The budgets of people, departments, projects and the playground cannot be raised there.
 */
export function rejectionFix(code: string, scope: unknown): PlacedFix | undefined {
  return code === "budget_exceeded" && scope !== "key" ? undefined : FIXES[code];
}

/** Codes whose reason and model already contain everything in the client's error. */
const isSaidByReason = isOneOf([
  ...(["model_not_allowed", "model_not_found", "rate_limit_exceeded", "sovereign_route_unavailable"] as const),
  ...(["account_status", "expired_api_key"] as const),
]);

const isOfModel = isOneOf(["model_not_allowed", "model_not_found"] as const);

/** Replacements for sentences that contain a URL; pages show a link beside the sentence instead. */
const ON_PAGES: Readonly<Record<string, string>> = {
  "shortage:fund": "shortage:fundHere",
  "shortage:askToFund": "shortage:askToFundHere",
};

/** The reason for a rejection in the reader's language, and further details from the client's error, in English. */
export function RejectionSentences({
  of: { code, model, details, humanMessage },
}: {
  of: Pick<Rejection, "code" | "model" | "details" | "humanMessage">;
}) {
  const { t } = useTranslation("shortage");
  const reasonOf = useReasons();
  const { language } = useDocumentFacts();
  const say = t as (key: string, values: object) => string;
  const shortage = details === null ? [] : shortageMessages(details);
  if (shortage.length > 0) return shortage.map(({ key, values }) => say(ON_PAGES[key] ?? key, values ?? {})).join(" ");
  if (language === "en") return humanMessage;
  const isTold = humanMessage === CATALOGUE.get(code)?.humanMessage || isSaidByReason(code);
  return (
    <>
      {reasonOf(code)}
      {isOfModel(code) && model !== "" ? ` (${model})` : null}
      {isTold ? null : (
        <span lang="en" className="text-ink-3">
          {` ${humanMessage}`}
        </span>
      )}
    </>
  );
}

/** A link to the remedy on the page of the key, or to the description of the error code. */
export function RejectionFix({ code, scope, keyId }: { code: string; scope: unknown; keyId: number }) {
  const { t } = useTranslation("keys");
  const known = rejectionFix(code, scope);
  return (
    <a
      href={known === undefined ? `/api-docs/errors#${code}` : `/dashboard/keys/${keyId}${known.to}`}
      className="link whitespace-nowrap"
    >
      {known === undefined ? t("refusals.see") : t(`refusals.fixes.${known.fix}`)}
    </a>
  );
}
