import { useTranslation } from "react-i18next";
import type { Rejection } from "~/domain/metering/shared";
import { shortageMessages } from "~/errors/shortage-words";
import { DataTable } from "~/ui/DataTable";
import { RelativeTime } from "~/ui/Figures";
import { Section } from "~/ui/page-parts";
import { togetherOf } from "../together";
import type { KeyPageView } from "./view.server";

type Fix = "model" | "budget" | "rate" | "region" | "pay" | "resume" | "expiry";

/** What helps against a refusal, where something on this page does. */
const FIXES: Readonly<Record<string, { fix: Fix; to: string }>> = {
  model_not_allowed: { fix: "model", to: "#policy" },
  budget_exceeded: { fix: "budget", to: "#policy" },
  rate_limit_exceeded: { fix: "rate", to: "#policy" },
  sovereign_route_unavailable: { fix: "region", to: "#policy" },
  billing_limit_reached: { fix: "pay", to: "#gates" },
  payment_required: { fix: "pay", to: "#gates" },
  account_status: { fix: "resume", to: "#end" },
  expired_api_key: { fix: "expiry", to: "#policy" },
};

/** The last requests that were refused before any supplier was called; what repeats itself is one line. */
export function RejectionsPanel({ view: { refusals: all, key } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const refusals = togetherOf(all);
  const mayChange = key.rights.limits && key.status !== "revoked";
  return (
    <Section title={t("refusals.title")} flush={refusals.length > 0} id="refusals">
      <div className="max-h-64 overflow-y-auto">
        <DataTable
          name="refusals"
          caption={t("refusals.title")}
          rows={refusals}
          rowKey={({ requestId }) => requestId}
          empty={<p className="text-ink-2">{t("refusals.none")}</p>}
          columns={[
            { id: "when", header: t("refusals.when"), cell: ({ at }) => <RelativeTime at={at} /> },
            {
              id: "code",
              header: t("refusals.code"),
              cell: ({ code, times }) => (
                <>
                  <a href={`/api-docs/errors#${code}`} className="mono hover:text-accent" title={t("refusals.see")}>
                    {code}
                  </a>{" "}
                  {times > 1 ? <span className="text-ink-3">× {times}</span> : null}
                </>
              ),
            },
            {
              id: "what",
              header: t("refusals.what"),
              wrap: true,
              cell: (refusal) => (
                <>
                  <Sentences of={refusal} /> <WhatHelps code={refusal.code} mayChange={mayChange} />
                </>
              ),
            },
          ]}
        />
      </div>
    </Section>
  );
}

/** Why it was refused: where the arithmetic is known, in the reader's language; else as the client was told. */
function Sentences({ of: { details, humanMessage } }: { of: Rejection }) {
  const { t } = useTranslation("shortage");
  const say = t as (key: string, values: object) => string;
  const sentences = details === null ? [] : shortageMessages(details).map(({ key, values }) => say(key, values ?? {}));
  return sentences.length === 0 ? humanMessage : sentences.join(" ");
}

const OPENS_SHEET = { command: "show-modal", commandfor: "edit" };

function WhatHelps({ code, mayChange }: { code: string; mayChange: boolean }) {
  const { t } = useTranslation("keys");
  const known = FIXES[code];
  const helps = known !== undefined && (mayChange || known.to !== "#policy");
  if (helps && known.to === "#policy") {
    return (
      <button type="button" className="link cursor-pointer whitespace-nowrap" {...OPENS_SHEET}>
        {t(`refusals.fixes.${known.fix}`)}
      </button>
    );
  }
  return (
    <a href={helps ? known.to : `/api-docs/errors#${code}`} className="link whitespace-nowrap">
      {helps ? t(`refusals.fixes.${known.fix}`) : t("refusals.see")}
    </a>
  );
}
