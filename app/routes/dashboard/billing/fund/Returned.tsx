import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { CheckoutStatus } from "~/domain/billing/index.server";
import { LinkButton } from "~/ui/Button";
import { useDocumentFacts } from "~/ui/document-context";
import { moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";

/** How the checkout stands that a person comes back from. While it is open the page asks again, with and without script. */
export function Returned({ status, cancelled }: { status: CheckoutStatus; cancelled: boolean }) {
  const { t } = useTranslation("billing");
  const { language } = useDocumentFacts();
  const { kind, state, confirmed } = status;
  const isOver = confirmed || state === "failed" || state === "expired";
  const waits = !isOver && !cancelled;
  const done =
    kind === "payment" ? t("fund.done", { amount: moneyText(status.creditNanoUsd, language) }) : t("fund.cardSaved");
  return (
    <Section>
      {waits ? <meta httpEquiv="refresh" content="3" /> : null}
      <div role="status" className="grid gap-2">
        <p className="font-strong">
          {confirmed ? done : cancelled ? t("fund.cancelled") : isOver ? t("fund.notPaid") : t("fund.waiting")}
        </p>
        {waits ? <p className="text-ink-2">{t("fund.waitingText")}</p> : null}
        <div>
          <LinkButton to={href("/dashboard/billing")} small>
            {t("fund.back")}
          </LinkButton>
        </div>
      </div>
    </Section>
  );
}
