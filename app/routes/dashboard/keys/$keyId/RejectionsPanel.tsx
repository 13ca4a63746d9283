import { useTranslation } from "react-i18next";
import type { Rejection } from "~/domain/request-log/shared";
import { RelativeTime } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";
import { RejectionSentences, rejectionFix } from "../RejectionText";
import { togetherOf } from "../together";
import type { KeyPageView } from "./view.server";

/** The latest requests that were rejected before a supplier was called; repetitions are one line. */
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
                  <RejectionSentences of={refusal} /> <WhatHelps of={refusal} mayChange={mayChange} />
                </>
              ),
            },
          ]}
        />
      </div>
    </Section>
  );
}

const OPENS_SHEET = { command: "show-modal", commandfor: "edit" };

function WhatHelps({ of: { code, details }, mayChange }: { of: Rejection; mayChange: boolean }) {
  const { t } = useTranslation("keys");
  const known = rejectionFix(code, details?.scope);
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
