import { useTranslation } from "react-i18next";
import type { RequestDetail } from "~/domain/request-log/shared";
import { type Span, Waterfall } from "~/ui/charts/Waterfall";
import { durationText } from "~/ui/format";
import { Badge, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { type TimedAttempt, timingOf } from "./spans";

/** Where the request's time was spent: in gw before the first supplier, and at each attempted supplier. */
export function Attempts({ request }: { request: RequestDetail }) {
  const { t } = useTranslation("requestLog");
  const { language } = useDocumentFacts();
  const { latencyMs, firstByteMs } = request;
  const time = (ms: number) => durationText(ms, language);
  const { beforeMs, attempts, settledFromMs } = timingOf(request);
  const ours = (name: string, fromMs: number, toMs: number): Span => ({
    name,
    fromMs,
    toMs,
    kind: "ours" as const,
    text: time(Math.max(0, toMs - fromMs)),
  });
  const spans: Span[] = [
    ours(t("time.before"), 0, beforeMs),
    ...attempts.flatMap(attemptSpans),
    ...(latencyMs > settledFromMs ? [ours(t("time.after"), settledFromMs, latencyMs)] : []),
  ];
  return (
    <Section
      title={t("time.title")}
      aside={
        firstByteMs === null
          ? t("time.total", { time: time(latencyMs) })
          : t("time.totalFirst", { time: time(latencyMs), first: time(firstByteMs) })
      }
    >
      <Waterfall label={t("time.title")} spans={spans} totalMs={latencyMs} />
    </Section>
  );

  function attemptSpans(attempt: TimedAttempt): Span[] {
    const { place, supplier, region, startedMs, endedMs, firstByteMs: first, outcome, status, code } = attempt;
    const good = outcome === "delivered";
    const named = { name: `${place} · ${supplier || t("page.otherSupplier")}`, detail: <Badge>{region}</Badge> };
    const labels = [status === null ? null : String(status), code].filter((word) => word !== null).join(" ");
    const text = good ? time(endedMs - startedMs) : t("time.failed", { what: labels, time: time(endedMs - startedMs) });
    if (first === null) return [{ ...named, fromMs: startedMs, toMs: endedMs, kind: good ? "good" : "bad", text }];
    return [
      { ...named, fromMs: startedMs, toMs: first, kind: "wait", text: time(first - startedMs) },
      { name: t("time.answer"), fromMs: first, toMs: endedMs, kind: "good", text: time(endedMs - first) },
    ];
  }
}
