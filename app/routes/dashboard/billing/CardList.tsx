import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { PaymentMethodView } from "~/domain/billing/shared";
import { Button } from "~/ui/Button";
import { Badge } from "~/ui/page-parts";

/** A person's saved cards, with their actions. */
export function CardList({ cards, mayAdd }: { cards: readonly PaymentMethodView[]; mayAdd: boolean }) {
  const { t } = useTranslation("billing");
  return (
    <div className="grid gap-3">
      {cards.length === 0 ? <p className="text-ink-3">{t("cards.empty")}</p> : null}
      <ul className="grid gap-2">
        {cards.map((card) => (
          <Card key={card.id} card={card} />
        ))}
      </ul>
      {mayAdd ? (
        <form method="post" action={href("/api/billing/payment-methods/setup")}>
          <Button small>{t("cards.add")}</Button>
        </form>
      ) : null}
    </div>
  );
}

function Card({ card: { id, brand, last4, expMonth, expYear, expired, isDefault } }: { card: PaymentMethodView }) {
  const { t } = useTranslation("billing");
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="font-strong">{`${brand} •••• ${last4}`}</span>
      <span className="text-ink-3">
        {t("cards.expires", { month: String(expMonth).padStart(2, "0"), year: expYear })}
      </span>
      {expired ? <Badge kind="bad">{t("cards.expired")}</Badge> : null}
      {isDefault ? <Badge kind="info">{t("cards.isDefault")}</Badge> : <CardAct act="default" id={id} />}
      <CardAct act="remove" id={id} />
    </li>
  );
}

function CardAct({ act, id }: { act: "default" | "remove"; id: string }) {
  const { t } = useTranslation("billing");
  return (
    <form method="post" action={href("/dashboard/billing")}>
      <input type="hidden" name="method" value={id} />
      <Button small kind="quiet" name="act" value={act}>
        {act === "default" ? t("cards.makeDefault") : t("cards.remove")}
      </Button>
    </form>
  );
}
