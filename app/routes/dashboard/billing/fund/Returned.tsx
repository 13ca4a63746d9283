import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { CheckoutStatus } from "~/domain/billing/index.server";
import { isCheckoutOver } from "~/domain/billing/shared";
import { LinkButton } from "~/ui/Button";
import { moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";

type Props = { id: string; status: CheckoutStatus; cancelled: boolean };

/**
 * State of the checkout from which a person returns. While it is open, the page's script polls `checkout-status` and
 * reloads the page once it is final. Without script the page reloads itself, and there is a link to reload.
 */
export function Returned({ id, status, cancelled }: Props) {
  const { t } = useTranslation("billing");
  const { language } = useDocumentFacts();
  const { kind, confirmed } = status;
  const isOver = isCheckoutOver(status);
  const waits = !isOver && !cancelled;
  const asks = {
    "data-await": `${href("/api/billing/checkout-status")}?checkout_id=${id}`,
    "data-await-field": "final",
  };
  const done =
    kind === "payment" ? t("fund.done", { amount: moneyText(status.creditNanoUsd, language) }) : t("fund.cardSaved");
  return (
    <Section>
      {waits ? (
        <noscript>
          <meta httpEquiv="refresh" content="5" />
        </noscript>
      ) : null}
      <div role="status" className="grid gap-2" {...(waits ? asks : {})}>
        <p className="font-strong">
          {confirmed ? done : cancelled ? t("fund.cancelled") : isOver ? t("fund.notPaid") : t("fund.waiting")}
        </p>
        {waits ? <p className="text-ink-2">{t("fund.waitingText")}</p> : null}
        <div className="flex flex-wrap gap-2">
          {waits ? (
            <LinkButton to={`?checkout=${id}`} small document>
              {t("fund.again")}
            </LinkButton>
          ) : null}
          <LinkButton to={href("/dashboard/billing")} small>
            {t("fund.back")}
          </LinkButton>
        </div>
      </div>
    </Section>
  );
}
