import { useTranslation } from "react-i18next";
import { LinkButton } from "~/ui/Button";
import { RelativeTime } from "~/ui/Figures";
import { RejectionSentences } from "../keys/RejectionText";
import type { GetStarted } from "./facts.server";

/** The newest rejected request, until one is answered: the reason and the remedy. */
export function Rejected({ rejected }: { rejected: NonNullable<GetStarted["rejected"]> }) {
  const { t } = useTranslation("getStarted");
  const { burst, remedy } = rejected;
  return (
    <div
      className="grid gap-2 rounded-lg border border-bad bg-bad-soft px-3.5 py-3"
      role="alert"
      data-rejected={burst.code}
    >
      <p className="font-strong text-bad">
        {t("rejected.title")} <RelativeTime at={burst.at} />
      </p>
      <p className="max-w-text">
        <RejectionSentences of={burst} /> <span className="mono text-ink-2">{burst.code}</span>
      </p>
      <p className="max-w-text">{t(`rejected.do.${remedy.kind}`)}</p>
      <div className="flex flex-wrap gap-2">
        <LinkButton to={remedy.to} small kind="primary" document={!remedy.to.startsWith("/dashboard")}>
          {t(`rejected.act.${remedy.kind}`)}
        </LinkButton>
        <LinkButton to={`/dashboard/request-log/${burst.requestId}`} small kind="quiet">
          {t("rejected.details")}
        </LinkButton>
      </div>
    </div>
  );
}
