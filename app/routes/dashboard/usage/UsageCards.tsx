import { useTranslation } from "react-i18next";
import type { UsageView } from "~/domain/usage/index.server";
import type { UsageCounters } from "~/domain/usage/shared";
import { Count, Duration, Money, Percent, Tokens } from "~/ui/Figures";
import { type Change, StatCard, Stats } from "~/ui/StatCard";

/** The figures of the window, each compared with the previous window. */
export function UsageCards({ usage: { total, before, buckets, bins, rejected } }: { usage: UsageView }) {
  const { t } = useTranslation("usage");
  const card = (value: (counters: UsageCounters) => number | null, more: Change["more"]) => {
    const [now, past] = [value(total), value(before)];
    const lines = new Map(bins.map((bin) => [new Date(bin.bucket).getTime(), value(bin) ?? 0]));
    return {
      spark: buckets.map((bucket) => lines.get(new Date(bucket).getTime()) ?? 0),
      change: { share: changeOf(now, past), more },
    };
  };
  return (
    <Stats>
      <StatCard
        label={t("cards.spend")}
        value={<Money nano={total.chargedNanoUsd} />}
        {...card(({ chargedNanoUsd }) => Number(chargedNanoUsd), "neutral")}
      />
      <StatCard
        label={t("cards.requests")}
        value={<Tokens count={total.requests} />}
        {...card(({ requests }) => requests, "neutral")}
      />
      <StatCard
        label={t("cards.errors")}
        value={<Percent share={errorShare(total) ?? 0} />}
        {...card(errorShare, "bad")}
      />
      {rejected === null ? (
        <StatCard label={t("cards.rejected")} value="–" />
      ) : (
        <StatCard
          label={t("cards.rejected")}
          value={<Count value={rejected.now} />}
          spark={rejected.line}
          change={{ share: changeOf(rejected.now, rejected.before), more: "bad" }}
        />
      )}
      <StatCard
        label={t("cards.tokens")}
        value={<Tokens count={tokensOf(total)} />}
        {...card((row) => Number(tokensOf(row)), "neutral")}
      />
      <StatCard
        label={t("cards.cached")}
        value={<Percent share={cachedShare(total) ?? 0} />}
        {...card(cachedShare, "good")}
      />
      <StatCard
        label={t("cards.latency")}
        value={total.requests === 0 ? "–" : <Duration ms={latencyOf(total) ?? 0} />}
        {...card(latencyOf, "bad")}
      />
      <StatCard
        label={t("cards.firstByte")}
        value={total.firstBytes === 0 ? "–" : <Duration ms={firstByteOf(total) ?? 0} />}
        {...card(firstByteOf, "bad")}
      />
    </Stats>
  );
}

/** Relative change of a figure; null: no value to compare with. */
const changeOf = (now: number | null, past: number | null): number | null =>
  past === null || past === 0 ? (now ? null : 0) : (now ?? 0) / past - 1;

const per = (part: number | bigint, total: number | bigint): number | null =>
  Number(total) === 0 ? null : Number(part) / Number(total);

const errorShare = ({ errors, requests }: UsageCounters) => per(errors, requests);
const cachedShare = ({ cachedInputTokens, inputTokens }: UsageCounters) => per(cachedInputTokens, inputTokens);
const latencyOf = ({ latencyMs, requests }: UsageCounters) => per(latencyMs, requests);
const firstByteOf = ({ firstByteMs, firstBytes }: UsageCounters) => per(firstByteMs, firstBytes);

/** Input and output tokens; cached tokens are part of the input. */
export const tokensOf = ({ inputTokens, outputTokens }: UsageCounters): bigint => inputTokens + outputTokens;
