import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { RequestDetail } from "~/domain/request-log/shared";
import { Money } from "~/ui/Figures";
import { durationText } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";

/** Money of the first request: held before it was sent, charged for its usage, the rest released. */
export function Receipt({ of: request }: { of: RequestDetail }) {
  const { t } = useTranslation("getStarted");
  const { language } = useDocumentFacts();
  const { requestId, model, requestedModel, status, latencyMs, inputTokens, outputTokens } = request;
  const { heldNanoUsd: held, chargedNanoUsd: charged, notCharged } = request;
  return (
    <div className="grid gap-3">
      <p>
        {t("steps.request.done", { model: model || requestedModel, status, time: durationText(latencyMs, language) })}
      </p>
      <dl className="panel receipt grid max-w-form gap-1.5 px-4 py-3 text-ink">
        {held === null ? null : (
          <Line label={t("receipt.held")} mark="hatch border border-line">
            <Money nano={held} places={9} />
          </Line>
        )}
        <Line
          label={t(notCharged === null ? "receipt.charged" : "receipt.cost", {
            input: inputTokens,
            output: outputTokens,
          })}
          mark="bg-accent"
        >
          <b className="font-strong">
            <Money nano={charged} places={9} />
          </b>
        </Line>
        {held === null || held < charged ? null : (
          <Line label={t("receipt.released")} mark="bg-sunken border border-line">
            <Money nano={held - charged} places={9} />
          </Line>
        )}
        {notCharged === null ? null : (
          <Line label={t(`receipt.${notCharged}`)} mark="bg-sunken border border-line">
            <Money nano={0n} places={9} />
          </Line>
        )}
      </dl>
      <p>
        <Link to={`/dashboard/request-log/${requestId}`} className="link">
          {t("receipt.details")}
        </Link>
      </p>
    </div>
  );
}

function Line({ label, mark, children }: { label: string; mark: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6">
      <dt className="flex items-center gap-2 text-ink-2">
        <span aria-hidden="true" className={`size-2.5 rounded-xs ${mark}`} />
        {label}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
