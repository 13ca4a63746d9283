import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import {
  deletePaymentMethod,
  listPaymentMethods,
  listPayments,
  makeDefault,
  readProcessorConfig,
  readWallet,
} from "~/domain/billing/index.server";
import { PaymentMethodId } from "~/domain/billing/shared";
import { Id, orNothing } from "~/http/body/fields";
import { LinkButton } from "~/ui/Button";
import { usePages } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { PayerReason } from "~/ui/PayerReason";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { AutoTopupCard } from "./AutoTopupCard";
import { readAutoTopupCard } from "./auto-topup.server";
import { CardList } from "./CardList";
import { DelegatedPayerCard } from "./DelegatedPayerCard";
import { readDelegatedCard } from "./delegated-payer.server";
import { LedgerSection } from "./LedgerSection";
import { LEDGER_FILTERS } from "./ledger-filters";
import { ledgerFilterOf } from "./ledger-query.server";
import { PaymentTable } from "./PaymentTable";
import { PromotionsCard } from "./PromotionsCard";
import { readPromotionsCard } from "./promotions.server";
import { WalletStats } from "./WalletStats";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 25;
const PAYMENTS = 10;

const Query = z.object({ ...LEDGER_FILTERS.query, before: orNothing(Id), payments: orNothing(z.uuid()) });

export const loader = pageLoader({ allow: "viewer", query: Query }, async ({ actor, query, context }) => {
  const before = query.before === undefined ? null : BigInt(query.before);
  const [view, { payments, nextCursor }, cards, promotions, autoTopup, delegated] = await Promise.all([
    readWallet(db(), actor, { before, limit: PAGE_SIZE, filter: ledgerFilterOf(query) }),
    listPayments(db(), actor, { cursor: query.payments, limit: PAYMENTS }),
    listPaymentMethods(db(), actor),
    readPromotionsCard(actor, context),
    readAutoTopupCard(actor, context),
    readDelegatedCard(actor, context),
  ]);
  const { configured } = readProcessorConfig();
  return {
    ...view,
    payments,
    nextPayments: nextCursor,
    cards,
    promotions,
    autoTopup,
    delegated,
    configured,
    runsInstallation: atLeast(actor.role, "platform_admin"),
  };
});

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
          <LedgerSection lines={wallet.lines} nextBefore={wallet.nextBefore} />
        </>
      )}
      <AutoTopupCard {...view.autoTopup} />
      <PromotionsCard {...view.promotions} />
      <Section flush title={t("payments.title")} id="payments">
        <PaymentTable payments={view.payments} />
        <Pager {...usePages(view.nextPayments, { position: "payments", anchor: "#payments" })} />
      </Section>
      <Section title={t("cards.title")} id="cards">
        <CardList cards={view.cards} mayAdd={configured} />
      </Section>
      <DelegatedPayerCard {...view.delegated} />
    </>
  );
}
