import { dateFormat } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";

/** Formats a month such as `2026-11` in the reader's language. */
export function useMonthText(): (month: string) => string {
  const { language } = useDocumentFacts();
  const format = dateFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
  return (month) => format.format(new Date(`${month}-01T00:00:00Z`));
}

/** Formats a day such as `2026-11-23` in the reader's language. */
export function useDayText(): (day: string) => string {
  const { language } = useDocumentFacts();
  const format = dateFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return (day) => format.format(new Date(`${day}T00:00:00Z`));
}
