import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Stat } from "~/domain/usage/shared";
import { Duration, Money, Percent, Tokens } from "~/ui/Figures";
import { countText, durationText, moneyText, percentText } from "~/ui/format";
import { type Change, StatCard, Stats } from "~/ui/StatCard";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { OverviewView } from "./view.server";

/** The six figures of the window, each compared with the previous window. */
export function StatCards({ view: { usage, range, tz } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const { language } = useDocumentFacts();
  const count = (value: number) => countText(value, language);
  const { spend, requests, errors, tokens, latency } = usage.figures;
  const when = `range=${range}&tz=${tz}`;
  return (
    <Stats>
      <StatCard
        label={t("cards.spend")}
        value={
          <Rows to={`/dashboard/usage?${when}`}>
            <Money nano={usage.totalNanoUsd} />
          </Rows>
        }
        change={changeOf(spend, "neutral", (usd) => moneyText(BigInt(Math.round(usd * 1e9)), language))}
        spark={spend.line}
      />
      <StatCard
        label={t("cards.requests")}
        value={
          <Rows to={`/dashboard/request-log?${when}`}>
            <Tokens count={requests.now} />
          </Rows>
        }
        change={changeOf(requests, "neutral", count)}
        spark={requests.line}
      />
      <StatCard
        label={t("cards.errors")}
        value={
          <Rows to={`/dashboard/request-log?outcome=error&${when}`}>
            <Percent share={errors.now} />
          </Rows>
        }
        change={changeOf(errors, "bad", (share) => percentText(share, language))}
        spark={errors.line}
      />
      <StatCard
        label={t("cards.rejected")}
        value={
          <Rows to={`/dashboard/request-log?outcome=rejected&${when}`}>
            <Tokens count={usage.rejected.now} />
          </Rows>
        }
        change={changeOf(usage.rejected, "bad", count)}
        spark={usage.rejected.line}
      />
      <StatCard
        label={t("cards.tokens")}
        value={
          <Rows to={`/dashboard/usage?metric=tokens&${when}`}>
            <Tokens count={tokens.now} />
          </Rows>
        }
        change={changeOf(tokens, "neutral", count)}
        spark={tokens.line}
      />
      <StatCard
        label={t("cards.latency")}
        value={
          requests.now === 0 ? (
            "–"
          ) : (
            <Rows to={`/dashboard/usage?${when}#breakdown`}>
              <Duration ms={latency.now} />
            </Rows>
          )
        }
        change={changeOf(latency, "bad", (ms) => durationText(ms, language))}
        spark={latency.line}
      />
    </Stats>
  );
}

/** A figure links to its requests. */
const Rows = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="hover:text-accent">
    {children}
  </Link>
);

const changeOf = (
  { now, before }: Pick<Stat, "now" | "before">,
  more: Change["more"],
  textOf: (value: number) => string,
): Change => ({
  share: before === 0 ? (now === 0 ? 0 : null) : now / before - 1,
  more,
  before: textOf(before),
});
