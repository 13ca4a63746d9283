import { useTranslation } from "react-i18next";
import type { InheritedLimit } from "~/domain/keys/shared";
import { moneyText, percentText } from "~/ui/format";
import { Gauge } from "~/ui/Gauge";
import { PayerReason } from "~/ui/PayerReason";
import { Badge, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { KeyPageView } from "./view.server";

/** All limits above a key that can stop it, and the payer. */
export function InheritedLimitsPanel({ view: { gates, key } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { payer } = gates;
  const first = tightestLimit(gates.limits, key.budget?.availableNanoUsd ?? null);
  return (
    <Section title={t("gates.title")} id="gates">
      <ul className="grid gap-3.5">
        {gates.limits.length === 0 ? <li className="text-ink-2">{t("gates.none")}</li> : null}
        {gates.limits.map((limit) => (
          <li key={limit.scope} className="grid gap-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>
                <span className="text-ink-3">{t(`gates.scope.${limit.scope}`)}</span> {limit.name}{" "}
                {limit === first ? <Badge kind="held">{t("gates.first")}</Badge> : null}
              </span>
              <span className="text-ink-2 tabular-nums">
                {limit.amounts === null
                  ? t("gates.share", { share: percentText(limit.spentShare, language) })
                  : t("gates.left", {
                      amount: moneyText(limit.amounts.availableNanoUsd, language),
                      limit: moneyText(limit.amounts.limitNanoUsd, language),
                    })}
              </span>
            </div>
            <Gauge
              spent={limit.spentShare}
              held={limit.heldShare}
              label={t("gates.share", { share: percentText(limit.spentShare, language) })}
            />
          </li>
        ))}
        <li className="flex flex-wrap items-baseline justify-between gap-x-3 border-line border-t pt-3">
          <span>
            <span className="text-ink-3">{t("gates.payer")}</span>{" "}
            {t(`gates.payerKind.${payer.kind}`, { name: payer.name })}
            <PayerReason {...payer} />
          </span>
          <span className="text-ink-2 tabular-nums">
            {payer.exempt
              ? t("gates.exempt")
              : payer.availableNanoUsd === null
                ? null
                : t("gates.available", { amount: moneyText(payer.availableNanoUsd, language) })}
          </span>
        </li>
      </ul>
    </Section>
  );
}

/** Returns the limit with the least available money, if that is less than in the key's own budget. */
function tightestLimit(limits: readonly InheritedLimit[], ownNanoUsd: bigint | null): InheritedLimit | null {
  let first: InheritedLimit | null = null;
  let minimum = ownNanoUsd;
  for (const limit of limits) {
    const remaining = limit.amounts?.availableNanoUsd;
    if (remaining === undefined || (minimum !== null && remaining >= minimum)) continue;
    minimum = remaining;
    first = limit;
  }
  return first;
}
