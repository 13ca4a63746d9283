import { useTranslation } from "react-i18next";
import type { Rejection } from "~/domain/metering/shared";
import { shortageMessages } from "~/errors/shortage-words";

type Fix = "model" | "budget" | "rate" | "region" | "pay" | "resume" | "expiry";

/** What helps against a refusal, where something on the page of its key does; `to` is the place on that page. */
export const REJECTION_FIXES: Readonly<Record<string, { fix: Fix; to: string }>> = {
  model_not_allowed: { fix: "model", to: "#policy" },
  budget_exceeded: { fix: "budget", to: "#policy" },
  rate_limit_exceeded: { fix: "rate", to: "#policy" },
  sovereign_route_unavailable: { fix: "region", to: "#policy" },
  billing_limit_reached: { fix: "pay", to: "#gates" },
  payment_required: { fix: "pay", to: "#gates" },
  account_status: { fix: "resume", to: "#end" },
  expired_api_key: { fix: "expiry", to: "#policy" },
};

/** Why it was refused: where the arithmetic is known, in the reader's language; else as the client was told. */
export function RejectionSentences({
  of: { details, humanMessage },
}: {
  of: Pick<Rejection, "details" | "humanMessage">;
}) {
  const { t } = useTranslation("shortage");
  const say = t as (key: string, values: object) => string;
  const sentences = details === null ? [] : shortageMessages(details).map(({ key, values }) => say(key, values ?? {}));
  return sentences.length === 0 ? humanMessage : sentences.join(" ");
}

/** What helps, as a link to where it is done on the page of the key; else to what the code means. */
export function RejectionFix({ code, keyId }: { code: string; keyId: number }) {
  const { t } = useTranslation("keys");
  const known = REJECTION_FIXES[code];
  return (
    <a
      href={known === undefined ? `/api-docs/errors#${code}` : `/dashboard/keys/${keyId}${known.to}`}
      className="link whitespace-nowrap"
    >
      {known === undefined ? t("refusals.see") : t(`refusals.fixes.${known.fix}`)}
    </a>
  );
}
