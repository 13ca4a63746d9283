import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AutoTopupView, AutoTopupState as OperationState } from "~/domain/billing/shared";
import { DateTime, Money } from "~/ui/Figures";
import { Badge, type BadgeKind } from "~/ui/page-parts";

const BADGES: Readonly<Record<OperationState, BadgeKind>> = {
  created: "held",
  submitted: "held",
  unknown: "held",
  requires_action: "info",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
};

/** Charged and maximum amounts, last and next charge, and the consent. */
export function AutoTopupState({ view }: { view: AutoTopupView }) {
  const { t } = useTranslation("autoTopup");
  const { consent, settings, card, lastOperation, nextAttemptAt, version } = view;
  const isOn = consent !== null && settings !== null;
  if (!isOn && lastOperation === null) return null;
  return (
    <div className="grid gap-3">
      {isOn ? (
        <p>{t("summary", { amount: String(settings.amountNanoUsd), threshold: String(settings.thresholdNanoUsd) })}</p>
      ) : null}
      <dl className="grid max-w-note gap-y-2">
        {isOn ? (
          <>
            <Fact label={t("usedMonth")}>
              <Used
                nano={view.usedThisMonthNanoUsd}
                limit={smaller(settings.monthLimitNanoUsd, view.policy?.maxMonthNanoUsd)}
              />
            </Fact>
            <Fact label={t("usedDay")}>
              <Used
                nano={view.usedTodayNanoUsd}
                limit={smaller(settings.dayLimitNanoUsd, view.policy?.maxDayNanoUsd)}
              />
            </Fact>
            <Fact label={t("card")}>{card ?? "–"}</Fact>
          </>
        ) : null}
        {lastOperation === null ? null : (
          <Fact label={t("last")}>
            <Last operation={lastOperation} />
          </Fact>
        )}
        {isOn && nextAttemptAt !== null ? (
          <Fact label={t("next")}>
            {t("nextHint")} <DateTime at={nextAttemptAt} />
          </Fact>
        ) : null}
      </dl>
      {lastOperation?.actionUrl ? (
        <p>
          <a href={lastOperation.actionUrl} rel="noreferrer" className="font-strong text-accent">
            {t("confirm")}
          </a>
        </p>
      ) : null}
      {consent === null ? null : (
        <p className="field-hint">
          {t("agreed", { name: consent.by, version })} <DateTime at={consent.at} />
        </p>
      )}
    </div>
  );
}

/** The operator may have lowered the bounds since. */
const smaller = (own: bigint, maximum: bigint | undefined) => (maximum !== undefined && maximum < own ? maximum : own);

/** A label beside its value; on narrow screens above it. */
function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-5 sm:grid-cols-2">
      <dt className="text-ink-3">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
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
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
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
