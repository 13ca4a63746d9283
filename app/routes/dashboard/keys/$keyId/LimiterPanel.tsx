import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { RateBars } from "~/ui/charts/RateBars";
import { wholeText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { KeyPageView } from "./view.server";

/**
 * State of the rate limiter. The page's script reloads it every two seconds (`app/enhance/limiter.ts`); without script
 * a link does.
 */
export function LimiterPanel({ view }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { limiter, limiterUrl } = view;
  const labels = useLimiterLabels();
  if (limiter.limit === null) {
    return (
      <Section title={t("limiter.title")}>
        <p className="text-ink-2">{t("limiter.noLimit")}</p>
        <RejectedToday view={view} />
      </Section>
    );
  }
  const waitSeconds =
    limiter.nextFreeAt === null
      ? 0
      : Math.ceil((new Date(limiter.nextFreeAt).getTime() - new Date(limiter.at).getTime()) / 1000);
  return (
    <Section title={t("limiter.title")} aside={t("limiter.limit", { limit: wholeText(limiter.limit, language) })}>
      <div className="grid gap-2.5" data-limiter={limiterUrl} data-words={JSON.stringify(labels)}>
        <div className="flex items-end justify-between gap-4">
          <p className="figure" aria-live="off" data-limiter-used>
            {wholeText(limiter.used, language)}
          </p>
          <p className="text-right text-xs text-ink-2 tabular-nums">
            <span className="block" data-limiter-free>
              {waitSeconds > 0
                ? t("limiter.next", { seconds: waitSeconds })
                : t("limiter.free", { count: limiter.free ?? 0 })}
            </span>
            <RejectedToday view={view} />
          </p>
        </div>
        <RateBars label={t("limiter.chart")} counts={limiter.seconds} />
        <p className="flex justify-between text-2xs text-ink-3">
          <span data-limiter-live hidden>
            {t("limiter.live")}
          </span>
          <a href={`/dashboard/keys/${view.key.id}`} className="without-script link">
            {t("detail.refresh")}
          </a>
        </p>
      </div>
    </Section>
  );
}

/** A number for each plural form of the four languages; the script replaces it in the text. */
const SAMPLES = { one: 1, other: 7, many: 1_000_000 } as const;

function useLimiterLabels() {
  const { t } = useTranslation("keys");
  const free = Object.entries(SAMPLES).map(([form, count]) => [
    form,
    t("limiter.free", { count }).replace(String(count), "#"),
  ]);
  return { free: Object.fromEntries(free), next: t("limiter.next", { seconds: "#" }) };
}

function RejectedToday({ view: { key, rejectedToday } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const log = `/dashboard/request-log?outcome=rejected&key=${key.id}&range=24h`;
  return (
    <span className="block text-ink-3" data-live="refused-today">
      <Link to={log} className="hover:text-accent">
        {t("limiter.rejectedToday", { count: rejectedToday })}
      </Link>
    </span>
  );
}
