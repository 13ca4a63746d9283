import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { z } from "zod";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import {
  deletePaymentMethod,
  listPaymentMethods,
  listPayments,
  makeDefault,
  readProcessorConfig,
  readWallet,
} from "~/domain/billing/index.server";
import { PaymentMethodId } from "~/domain/billing/shared";
import { atLeast } from "~/domain/identity/shared";
import { Id, orNothing } from "~/http/fields";
import { LinkButton } from "~/ui/Button";
import { addressWith } from "~/ui/list-address";
import { Pager } from "~/ui/list-parts";
import { PayerReason } from "~/ui/PayerReason";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { CardList } from "./CardList";
import { LedgerTable } from "./LedgerTable";
import { PaymentTable } from "./PaymentTable";
import { PromotionsCard } from "./PromotionsCard";
import { readPromotionsCard } from "./promotions.server";
import { WalletStats } from "./WalletStats";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 25;
const PAYMENTS = 10;

export const loader = pageLoader(
  { allow: "viewer", query: z.object({ before: orNothing(Id) }) },
  async ({ actor, query: { before }, context }) => {
    const at = before === undefined ? null : BigInt(before);
    const [view, { payments }, cards, promotions] = await Promise.all([
      readWallet(db(), actor, { before: at, limit: PAGE_SIZE }),
      listPayments(db(), actor, { limit: PAYMENTS }),
      listPaymentMethods(db(), actor),
      readPromotionsCard(actor, context),
    ]);
    const { configured } = readProcessorConfig();
    return {
      ...view,
      payments,
      cards,
      promotions,
      configured,
      runsInstallation: atLeast(actor.role, "platform_admin"),
    };
  },
);

const CardForm = z.object({ act: z.enum(["remove", "default"]), method: PaymentMethodId });

export const action = pageAction({ allow: "viewer", body: CardForm }, async ({ actor, body: { act, method } }) => {
  const to = "/dashboard/billing";
  if (act === "remove") {
    await deletePaymentMethod(db(), actor, method);
    return { to, toast: "billing:cards.removed" };
  }
  await makeDefault(db(), actor, method);
  return { to, toast: "billing:cards.madeDefault" };
});

export default function Billing({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("billing");
  const [query] = useSearchParams();
  const { payer, wallet, configured } = view;
  const mayPay = payer.mayFund && configured && !payer.exempt;
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          mayPay ? (
            <LinkButton to={href("/dashboard/billing/fund")} kind="primary">
              {t("addFunds")}
            </LinkButton>
          ) : null
        }
      />
      <Section>
        <div className="grid gap-1 text-ink-2">
          <p>{payer.isOwn ? t("payer.own") : t("payer.organisation", { name: payer.name })}</p>
          <PayerReason {...payer} />
          {payer.mayFund ? null : <p>{t("payer.ask")}</p>}
        </div>
      </Section>
      {configured ? null : (
        <Section title={t("notSetUp")}>
          <p className="text-ink-2">{view.runsInstallation ? t("notSetUpAdmin") : t("notSetUpText")}</p>
        </Section>
      )}
      {wallet === null ? null : (
        <>
          <WalletStats wallet={wallet} />
          <Section
            flush
            title={t("ledger.title")}
            id="ledger"
            aside={
              <LinkButton small to={href("/dashboard/billing/statements")}>
                {t("ledger.statements")}
              </LinkButton>
            }
          >
            <LedgerTable lines={wallet.lines} />
            <Pager
              newer={query.has("before") ? addressWith(query, { before: null }) : null}
              older={wallet.nextBefore === null ? null : addressWith(query, { before: String(wallet.nextBefore) })}
            />
          </Section>
        </>
      )}
      <PromotionsCard {...view.promotions} />
      <Section flush title={t("payments.title")} id="payments">
        <PaymentTable payments={view.payments} />
      </Section>
      <Section title={t("cards.title")} id="cards">
        <CardList cards={view.cards} mayAdd={configured} />
      </Section>
    </>
  );
}
