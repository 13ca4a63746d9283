import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { BatchView } from "~/domain/batches/shared";
import { Count, Countdown, DateTime, Duration, Money } from "~/ui/Figures";
import { DetailList, Section } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";
import { Progress } from "../Progress";

/** Progress, cost so far and duration of a batch. */
export function BatchFigures({ batch }: { batch: BatchView }) {
  const { t } = useTranslation("batches");
  const { total, completed, failed, chargedNanoUsd, createdAt, endedAt, expiresAt } = batch;
  return (
    <Stats>
      <StatCard label={t("col.progress")} value={<Progress of={batch} />} />
      <StatCard
        label={t("answered")}
        value={<Count value={completed} />}
        note={total === 0 ? null : t("ofLines", { count: total })}
      />
      <StatCard label={t("notAnswered")} value={<Count value={failed} />} />
      <StatCard label={t("col.cost")} value={<Money nano={chargedNanoUsd} />} note={t("costNote")} />
      {endedAt === null ? (
        <StatCard label={t("endsWithin")} value={<Countdown to={expiresAt} />} />
      ) : (
        <StatCard label={t("took")} value={<Duration ms={endedAt.getTime() - createdAt.getTime()} />} />
      )}
    </Stats>
  );
}

/** Owner, times and metadata of a batch. */
export function BatchFacts({ batch }: { batch: BatchView }) {
  const { t } = useTranslation("batches");
  const { createdAt, begunAt, finalizingAt, cancellingAt, endedAt, metadata } = batch;
  const moments = [
    ["created", createdAt],
    ["begun", begunAt],
    ["cancelling", cancellingAt],
    ["finalizing", finalizingAt],
    ["ended", endedAt],
  ] as const;
  return (
    <Section title={t("facts")}>
      <DetailList
        rows={[
          [
            t("col.key"),
            <Link key="key" to={href("/dashboard/keys/:keyId", { keyId: String(batch.keyId) })} className="link">
              {batch.keyName}
            </Link>,
          ],
          [
            t("col.endpoint"),
            <span key="endpoint" className="mono">
              {batch.endpoint}
            </span>,
          ],
          ...moments.flatMap(([name, at]) =>
            at === null ? [] : [[t(`moment.${name}`), <DateTime key={name} at={at} />] as const],
          ),
          ...Object.entries(metadata ?? {}).map(
            ([name, value]) =>
              [
                <span key={name} className="mono">
                  {name}
                </span>,
                value,
              ] as const,
          ),
        ]}
      />
    </Section>
  );
}
