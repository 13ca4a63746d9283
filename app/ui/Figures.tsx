import type { ReactNode } from "react";
import {
  countText,
  dateFormat,
  durationText,
  momentText,
  moneyText,
  percentText,
  relativeText,
  wholeText,
} from "./format";
import { useDocumentFacts } from "./shell/document-context";

/** An exact amount. `places`: always nine decimals, for columns with aligned decimal points. */
export function Money({ nano, places, muted }: { nano: bigint | null; places?: 9; muted?: boolean }) {
  const { language } = useDocumentFacts();
  if (nano === null) return <span className="text-ink-3">–</span>;
  return (
    <span className={muted ? "text-ink-3 tabular-nums" : "tabular-nums"}>{moneyText(nano, language, places)}</span>
  );
}

/** A count of tokens; the whole number is on hover. */
export function Tokens({ count }: { count: number | bigint }) {
  const { language } = useDocumentFacts();
  return (
    <span title={wholeText(count, language)} className="tabular-nums">
      {countText(count, language)}
    </span>
  );
}

export function Count({ value }: { value: number | bigint }) {
  const { language } = useDocumentFacts();
  return <span className="tabular-nums">{wholeText(value, language)}</span>;
}

/** A share from 0 to 1. */
export function Percent({ share }: { share: number }) {
  const { language } = useDocumentFacts();
  return <span className="tabular-nums">{percentText(share, language)}</span>;
}

export function Duration({ ms }: { ms: number }) {
  const { language } = useDocumentFacts();
  return <span className="tabular-nums">{durationText(ms, language)}</span>;
}

/** Relative time; the absolute time is on hover. `never` is the text for a missing time. */
export function RelativeTime({
  at,
  timeZone = "UTC",
  never = "–",
}: {
  at: Date | string | null;
  timeZone?: string;
  never?: ReactNode;
}) {
  const { language } = useDocumentFacts();
  if (at === null) return <span className="text-ink-3">{never}</span>;
  const moment = new Date(at);
  return (
    <time
      dateTime={moment.toISOString()}
      title={momentText(moment, language, timeZone)}
      className="whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {relativeText(moment, new Date(), language)}
    </time>
  );
}

/** Absolute time; the relative time is on hover. */
export function DateTime({
  at,
  timeZone = "UTC",
  dateOnly,
}: {
  at: Date | string;
  timeZone?: string;
  dateOnly?: boolean;
}) {
  const { language } = useDocumentFacts();
  const moment = new Date(at);
  const text = dateOnly
    ? dateFormat(language, { dateStyle: "medium", timeZone }).format(moment)
    : momentText(moment, language, timeZone);
  return (
    <time
      dateTime={moment.toISOString()}
      title={relativeText(moment, new Date(), language)}
      className="whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {text}
    </time>
  );
}

/** Time left until a moment. */
export function Countdown({ to }: { to: Date | string }) {
  const { language } = useDocumentFacts();
  const moment = new Date(to);
  return (
    <time
      dateTime={moment.toISOString()}
      title={momentText(moment, language)}
      className="tabular-nums"
      suppressHydrationWarning
    >
      {durationText(Math.max(0, moment.getTime() - Date.now()), language)}
    </time>
  );
}
