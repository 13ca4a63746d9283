import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AutoTopupView, AutoTopupState as OperationState } from "~/domain/billing/shared";
import { DateTime, Money } from "~/ui/Figures";
import { Badge, type BadgeKind, DetailList } from "~/ui/page-parts";

const BADGES: Readonly<Record<OperationState, BadgeKind>> = {
  created: "held",
  submitted: "held",
  unknown: "held",
  requires_action: "info",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
};

/** What has been charged of what may be, when last and when next, and who agreed to it. */
export function AutoTopupState({ view }: { view: AutoTopupView }) {
  const { t } = useTranslation("autoTopup");
  const { consent, settings, card, lastOperation, nextAttemptAt } = view;
  const rows: (readonly [ReactNode, ReactNode])[] = [];
  if (consent !== null && settings !== null) {
    rows.push(
      [t("threshold"), <Money key="threshold" nano={settings.thresholdNanoUsd} />],
      [t("amount"), <Money key="amount" nano={settings.amountNanoUsd} />],
      [t("usedMonth"), <Used key="month" nano={view.usedThisMonthNanoUsd} limit={settings.monthLimitNanoUsd} />],
      [t("usedDay"), <Used key="day" nano={view.usedTodayNanoUsd} limit={settings.dayLimitNanoUsd} />],
      [t("card"), card ?? "–"],
      [
        t("agreed"),
        <span key="agreed">
          <DateTime at={consent.at} /> {t("agreedBy", { name: consent.by, version: view.version })}
        </span>,
      ],
    );
  }
  if (lastOperation !== null) rows.push([t("last"), <Last key="last" operation={lastOperation} />]);
  if (consent !== null && nextAttemptAt !== null)
    rows.push([
      t("next"),
      <span key="next">
        {t("nextHint")} <DateTime at={nextAttemptAt} />
      </span>,
    ]);
  if (rows.length === 0) return null;
  return (
    <div className="grid max-w-note gap-3">
      <DetailList rows={rows} />
      {lastOperation?.actionUrl ? (
        <a href={lastOperation.actionUrl} rel="noreferrer" className="font-strong text-accent">
          {t("confirm")}
        </a>
      ) : null}
    </div>
  );
}

function Used({ nano, limit }: { nano: bigint; limit: bigint }) {
  const { t } = useTranslation("autoTopup");
  return (
    <span>
      <Money nano={nano} /> {t("usedOf")} <Money nano={limit} />
    </span>
  );
}

function Last({ operation }: { operation: NonNullable<AutoTopupView["lastOperation"]> }) {
  const { t } = useTranslation("autoTopup");
  const { state, failure, createdAt } = operation;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
      <Badge kind={BADGES[state]}>{t(`operation.${state}`)}</Badge>
      <DateTime at={createdAt} />
      {failure === null ? null : <Reason code={failure} />}
    </span>
  );
}

const KNOWN = ["card_declined", "insufficient_funds", "expired_card", "not_confirmed", "not_executed"] as const;

function Reason({ code }: { code: string }) {
  const { t } = useTranslation("autoTopup");
  const known = KNOWN.find((each) => each === code);
  const text = known === undefined ? t("failure.other", { code }) : t(`failure.${known}`);
  return <span className="basis-full text-ink-3">{text}</span>;
}
