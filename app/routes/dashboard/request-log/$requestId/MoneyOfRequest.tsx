import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PriceLine } from "~/domain/pricing/shared";
import { Count, RelativeTime } from "~/ui/Figures";
import { decimalUsdText, moneyText } from "~/ui/format";
import { DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { formatUsd } from "~/values/money";
import type { RequestView } from "../view.server";

/** The hold, the calculation of the cost, the charge and the released amount. Every amount is exact. */
export function MoneyOfRequest({ view: { request, lines, tier, entry, batch } }: { view: RequestView }) {
  const { t } = useTranslation("requestLog");
  const { language } = useDocumentFacts();
  const { heldNanoUsd, heldAt, costNanoUsd, chargedNanoUsd, ledgerId, notCharged } = request;
  const exact = (nanoUsd: bigint) => moneyText(nanoUsd, language, 9);
  const ofHold = (nanoUsd: bigint) => (heldNanoUsd === null ? "–" : exact(nanoUsd));
  const held = heldNanoUsd ?? 0n;
  const back = held < chargedNanoUsd ? 0n : held - chargedNanoUsd;
  return (
    <>
      <Stats>
        <StatCard
          label={t("money.held")}
          value={<Exact text={ofHold(held)} />}
          note={heldAt === null ? t("money.noHold") : <RelativeTime at={heldAt} />}
        />
        <StatCard
          label={t("money.cost")}
          value={<Exact text={exact(costNanoUsd)} />}
          note={t("money.tokens", { input: request.inputTokens, output: request.outputTokens })}
        />
        <StatCard
          label={t("money.charged")}
          value={<Exact text={exact(notCharged === null ? chargedNanoUsd : 0n)} />}
          note={
            notCharged !== null ? (
              t(`money.${notCharged}`)
            ) : chargedNanoUsd < costNanoUsd ? (
              t("money.absorbed", { amount: costNanoUsd - chargedNanoUsd })
            ) : ledgerId === null ? (
              t("money.nothing")
            ) : entry === null ? (
              t("money.posting", { id: ledgerId })
            ) : (
              <Link to={entry} className="link">
                {t("money.posting", { id: ledgerId })}
              </Link>
            )
          }
        />
        <StatCard
          label={t("money.released")}
          value={<Exact text={ofHold(back)} />}
          note={heldNanoUsd === null ? t("money.noHold") : <RelativeTime at={request.settledAt} />}
        />
      </Stats>
      <Section
        title={t("money.title")}
        aside={tier === undefined ? t("money.unit") : t("money.tier", { tier })}
        flush={lines !== null}
      >
        {lines === null ? (
          <p className="text-ink-2">{costNanoUsd === 0n ? t("money.free") : t("money.estimated")}</p>
        ) : (
          <PriceLines lines={lines} total={exact(costNanoUsd)} />
        )}
        {batch !== null && lines !== null && tier === undefined && (
          <p className="p-4 text-ink-2">{t("money.batch", { percent: batch.priceMillionths / 10_000 })}</p>
        )}
      </Section>
    </>
  );
}

const Exact = ({ text }: { text: string }) => <span className="text-base tabular-nums">{text}</span>;

function PriceLines({ lines, total }: { lines: readonly PriceLine[]; total: string }) {
  const { t } = useTranslation("requestLog");
  const { language } = useDocumentFacts();
  const isRounded = lines.reduce((sum, { millionths }) => sum + millionths, 0n) % 1_000_000n !== 0n;
  const end = "end" as const;
  return (
    <DataTable
      name="request-price"
      caption={t("money.title")}
      rows={lines}
      rowKey={({ part }) => part}
      columns={[
        { id: "part", header: t("money.part"), cell: ({ part }) => t(`parts.${part}`) },
        {
          id: "quantity",
          header: t("money.quantity"),
          align: end,
          cell: ({ part, quantity }) =>
            part === "seconds" ? <Count value={Number(quantity) / 1_000} /> : <Count value={quantity} />,
        },
        {
          id: "unit",
          header: t("money.price"),
          align: end,
          cell: ({ part, unitNanoUsd, per }) =>
            t(per === 1_000_000n ? "money.perMillion" : part === "seconds" ? "money.perSecond" : "money.perPiece", {
              price: decimalUsdText(formatUsd(unitNanoUsd), language),
            }),
        },
        {
          id: "amount",
          header: t("money.amount"),
          align: end,
          cell: ({ millionths }) => decimalUsdText(decimalOf(millionths), language, 9),
        },
      ]}
      foot={{ part: isRounded ? t("money.rounded") : t("money.total"), amount: total }}
    />
  );
}

/** Converts millionths of a nano-USD to a decimal of US dollars. */
const decimalOf = (millionths: bigint): string =>
  `${formatUsd(millionths / 1_000_000n)}${(millionths % 1_000_000n).toString().padStart(6, "0")}`;
