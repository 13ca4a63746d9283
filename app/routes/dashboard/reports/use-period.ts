import { useTranslation } from "react-i18next";
import { dateFormat } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { ReportView } from "./view.server";

/** Returns the period of a report as text, in its time zone. */
export function usePeriod({ window }: ReportView): string {
  const { t } = useTranslation("reports");
  const { language } = useDocumentFacts();
  const { timeZone } = window;
  const format = dateFormat(language, { timeZone, dateStyle: "medium", timeStyle: "short" });
  const [from, to] = [format.format(new Date(window.from)), format.format(new Date(window.to))];
  return t("period", { from, to, zone: timeZone });
}
