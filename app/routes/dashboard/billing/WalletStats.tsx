import { useTranslation } from "react-i18next";
import { Money } from "~/ui/Figures";
import { StatCard, Stats } from "~/ui/StatCard";

type Wallet = {
  postedNanoUsd: bigint;
  heldNanoUsd: bigint;
  availableNanoUsd: bigint;
  owedNanoUsd: bigint;
};

/** What a wallet holds, in three figures that explain each other; and what is owed, where anything is. */
export function WalletStats({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation("billing");
  const { availableNanoUsd, heldNanoUsd, postedNanoUsd, owedNanoUsd } = wallet;
  return (
    <Stats>
      <StatCard
        label={t("balance.available")}
        value={<Money nano={availableNanoUsd} />}
        note={t("balance.availableHint")}
      />
      <StatCard label={t("balance.held")} value={<Money nano={heldNanoUsd} />} note={t("balance.heldHint")} />
      <StatCard label={t("balance.settled")} value={<Money nano={postedNanoUsd} />} note={t("balance.settledHint")} />
      {owedNanoUsd > 0n ? (
        <StatCard label={t("balance.owed")} value={<Money nano={owedNanoUsd} />} note={t("balance.owedHint")} />
      ) : null}
    </Stats>
  );
}
