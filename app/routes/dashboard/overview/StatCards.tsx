import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Duration, Money, Percent, Tokens } from "~/ui/Figures";
import { type Change, StatCard, Stats } from "~/ui/StatCard";
import type { Stat } from "./usage.server";
import type { OverviewView } from "./view.server";

/** The six figures of the window, each against the window before. */
export function StatCards({ view: { usage, range, tz } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const { spend, requests, errors, tokens, latency } = usage.figures;
  return (
    <Stats>
      <StatCard
        label={t("cards.spend")}
        value={<Money nano={usage.totalNanoUsd} />}
        change={changeOf(spend, "neutral")}
        spark={spend.line}
      />
      <StatCard
        label={t("cards.requests")}
        value={<Tokens count={requests.now} />}
        change={changeOf(requests, "neutral")}
        spark={requests.line}
      />
      <StatCard
        label={t("cards.errors")}
        value={<Percent share={errors.now} />}
        change={changeOf(errors, "bad")}
        spark={errors.line}
      />
      <StatCard
        label={t("cards.rejected")}
        value={
          <Link to={`/dashboard/request-log?outcome=rejected&range=${range}&tz=${tz}`} className="hover:text-accent">
            <Tokens count={usage.rejected.now} />
          </Link>
        }
        change={changeOf(usage.rejected, "bad")}
        spark={usage.rejected.line}
      />
      <StatCard
        label={t("cards.tokens")}
        value={<Tokens count={tokens.now} />}
        change={changeOf(tokens, "neutral")}
        spark={tokens.line}
      />
      <StatCard
        label={t("cards.latency")}
        value={requests.now === 0 ? "–" : <Duration ms={latency.now} />}
        change={changeOf(latency, "bad")}
        spark={latency.line}
      />
    </Stats>
  );
}

const changeOf = ({ now, before }: Pick<Stat, "now" | "before">, more: Change["more"]): Change => ({
  share: before === 0 ? (now === 0 ? 0 : null) : now / before - 1,
  more,
});
