import { useTranslation } from "react-i18next";
import type { AuditRunView } from "~/domain/billing/shared";
import { DateTime, Money } from "~/ui/Figures";
import { Badge, DetailList, Section } from "~/ui/page-parts";

const NANO_PER_CENT = 10_000_000n;
const nano = (cents: bigint) => cents * NANO_PER_CENT;

/** Money through the payment processor: according to the ledger, the recorded payments, and the processor's balance. */
export function Clearing({ audit }: { audit: AuditRunView }) {
  const { t } = useTranslation("reconcile");
  const { clearingNanoUsd, creditedNanoUsd, chargedCents, returnedCents, balanceCents, processor } = audit;
  const isEqual = clearingNanoUsd === creditedNanoUsd;
  const keptCents = chargedCents - returnedCents;
  return (
    <Section
      title={t("clearing.title")}
      id="clearing"
      aside={
        <>
          {t("clearing.asOf")} <DateTime at={audit.finishedAt} />
        </>
      }
    >
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-2.5">
          <Badge kind={isEqual ? "good" : "bad"}>{t(isEqual ? "clearing.equal" : "clearing.differs")}</Badge>
          <span className="text-ink-2">{t("clearing.compared")}</span>
        </p>
        <DetailList
          rows={[
            [t("clearing.ledger"), <Money key="ledger" nano={clearingNanoUsd} places={9} />],
            [t("clearing.payments"), <Money key="payments" nano={creditedNanoUsd} places={9} />],
            [t("clearing.charged"), <Money key="charged" nano={nano(chargedCents)} />],
            [t("clearing.returned"), <Money key="returned" nano={nano(returnedCents)} />],
            [t("clearing.kept"), <Money key="kept" nano={nano(keptCents)} />],
            [
              t("clearing.balance"),
              balanceCents === null ? (
                t(processor === "none" ? "clearing.none" : "clearing.away")
              ) : (
                <Money key="balance" nano={nano(balanceCents)} />
              ),
            ],
            ...(balanceCents === null
              ? []
              : [
                  [t("clearing.difference"), <Money key="difference" nano={nano(keptCents - balanceCents)} />] as const,
                ]),
          ]}
        />
        {balanceCents === null ? null : <p className="text-ink-3">{t("clearing.differenceHint")}</p>}
      </div>
    </Section>
  );
}
