import { useTranslation } from "react-i18next";
import { TOKEN_EVENT_KINDS, TOKEN_EVENT_SOURCES } from "~/domain/credentials/shared";
import { intervalText, momentText } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { isOneOf } from "~/values/one-of";

const isKind = isOneOf(TOKEN_EVENT_KINDS);
const isSource = isOneOf(TOKEN_EVENT_SOURCES);
const HOUR_MS = 3_600_000;

/** Returns the labels of values in the event log; unknown values stay unchanged. */
export function useCredentialLabels() {
  const { t } = useTranslation("adminModels");
  const { language } = useDocumentFacts();
  const kind = (value: string) => (isKind(value) ? t(`credentials.kind.${value}`) : value);
  return {
    kind,
    /** Several kinds, in the address's format. */
    kinds: (list: string) =>
      list
        .split(",")
        .map((each) => kind(each.trim()))
        .join(", "),
    source: (value: string) => (isSource(value) ? t(`credentials.source.${value}`) : value),
    /** A time in milliseconds since 1970. */
    moment: (value: string) => {
      const at = new Date(Number(value));
      return Number.isNaN(at.getTime()) ? value : momentText(at, language, "UTC");
    },
    window: (hours: number) =>
      hours === 0
        ? t("credentials.window.all")
        : t("credentials.window.last", { time: intervalText(hours * HOUR_MS, language) }),
  };
}
