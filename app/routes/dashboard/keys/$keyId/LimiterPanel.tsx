import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { RateBars } from "~/ui/charts/RateBars";
import { useDocumentFacts } from "~/ui/document-context";
import { wholeText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import type { KeyPageView } from "./view.server";

const EVERY_MS = 2_000;

type State = {
  limit: number | null;
  used: number;
  free: number | null;
  next_free_at: string | null;
  at: string;
  seconds: number[];
};

/** What the limiter says, read again every two seconds while the page is in sight; without script by a link. */
export function LimiterPanel({ view }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const [state, isLive] = useLimiter(view);
  if (state.limit === null) {
    return (
      <Section title={t("limiter.title")}>
        <p className="text-ink-2">{t("limiter.noLimit")}</p>
        <RefusedToday view={view} />
      </Section>
    );
  }
  const waitSeconds =
    state.next_free_at === null ? 0 : Math.ceil((Date.parse(state.next_free_at) - Date.parse(state.at)) / 1000);
  return (
    <Section title={t("limiter.title")} aside={t("limiter.limit", { limit: wholeText(state.limit, language) })}>
      <div className="grid gap-2.5">
        <div className="flex items-end justify-between gap-4">
          <p className="figure" aria-live="off">
            {wholeText(state.used, language)}
          </p>
          <p className="text-right text-xs text-ink-2 tabular-nums">
            <span className="block">
              {waitSeconds > 0
                ? t("limiter.next", { seconds: waitSeconds })
                : t("limiter.free", { count: state.free ?? 0 })}
            </span>
            <RefusedToday view={view} />
          </p>
        </div>
        <RateBars label={t("limiter.chart")} counts={state.seconds} />
        <p className="flex justify-between text-2xs text-ink-3">
          <span>{isLive ? t("limiter.live") : null}</span>
          <a href={`/dashboard/keys/${view.key.id}`} className="without-script link">
            {t("detail.refresh")}
          </a>
        </p>
      </div>
    </Section>
  );
}

function RefusedToday({ view: { refusedToday } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  return <span className="block text-ink-3">{t("limiter.refusedToday", { count: refusedToday })}</span>;
}

function useLimiter({ limiter, limiterUrl }: KeyPageView): [State, boolean] {
  const [state, setState] = useState<State>(() => ({
    limit: limiter.limit,
    used: limiter.used,
    free: limiter.free,
    next_free_at: limiter.nextFreeAt === null ? null : new Date(limiter.nextFreeAt).toISOString(),
    at: new Date(limiter.at).toISOString(),
    seconds: limiter.seconds,
  }));
  const [isLive, setLive] = useState(false);
  const isLimited = limiter.limit !== null;
  useEffect(() => {
    if (!isLimited) return;
    const gone = new AbortController();
    const read = async () => {
      if (document.hidden) return;
      try {
        const response = await fetch(limiterUrl, { headers: { accept: "application/json" }, signal: gone.signal });
        if (!response.ok) return setLive(false);
        setState((await response.json()) as State);
        setLive(true);
      } catch {
        if (!gone.signal.aborted) setLive(false);
      }
    };
    void read();
    const timer = setInterval(() => void read(), EVERY_MS);
    return () => {
      clearInterval(timer);
      gone.abort();
    };
  }, [isLimited, limiterUrl]);
  return [state, isLive];
}
