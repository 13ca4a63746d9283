import { useTranslation } from "react-i18next";
import type { WalletView } from "~/domain/billing/index.server";
import { Money } from "~/ui/Figures";
import { dateFormat, meanMoneyText } from "~/ui/format";
import { StatCard, Stats } from "~/ui/StatCard";
import { useDocumentFacts } from "~/ui/shell/document-context";

type Wallet = NonNullable<WalletView["wallet"]>;

const DAYS_OF_A_YEAR = 365;

/**
 * The balance of a wallet and its parts; the debt, if any; and how long the money will last, if there is enough data.
 */
export function WalletStats({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation("billing");
  const { availableNanoUsd, heldNanoUsd, postedNanoUsd, owedNanoUsd, creditLimitNanoUsd, burnRate } = wallet;
  return (
    <Stats wide>
      <StatCard
        label={t("balance.available")}
        value={<Money nano={availableNanoUsd} />}
        note={
          creditLimitNanoUsd > 0n
            ? t("balance.availableWithCredit", { credit: creditLimitNanoUsd })
            : t("balance.availableHint")
        }
      />
      <StatCard label={t("balance.held")} value={<Money nano={heldNanoUsd} />} note={t("balance.heldHint")} />
      <StatCard label={t("balance.settled")} value={<Money nano={postedNanoUsd} />} note={t("balance.settledHint")} />
      {owedNanoUsd > 0n ? (
        <StatCard label={t("balance.owed")} value={<Money nano={owedNanoUsd} />} note={t("balance.owedHint")} />
      ) : null}
      {burnRate === null ? null : <BurnRateCard burnRate={burnRate} />}
    </Stats>
  );
}

function BurnRateCard({ burnRate }: { burnRate: NonNullable<Wallet["burnRate"]> }) {
  const { t } = useTranslation("billing");
  const { language } = useDocumentFacts();
  const { from, to, days, perDayNanoUsd, daysLeft } = burnRate;
  const dates = dateFormat(language, { dateStyle: "medium", timeZone: "UTC" }).formatRange(from, to);
  return (
    <StatCard
      label={t("burn.title")}
      value={
        daysLeft === null
          ? t("burn.empty")
          : daysLeft > DAYS_OF_A_YEAR
            ? t("burn.overAYear")
            : t("burn.days", { count: daysLeft })
      }
      note={t("burn.basis", { perDay: meanMoneyText(perDayNanoUsd, language), dates })}
      spark={days.map(Number)}
    />
  );
}
