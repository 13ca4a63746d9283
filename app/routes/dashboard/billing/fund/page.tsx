import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import {
  fundingBoundsBroken,
  priceOfCredit,
  readCheckoutStatus,
  readOwnFunding,
  readProcessorConfig,
} from "~/domain/billing/index.server";
import { AppError } from "~/errors/app-error";
import { orNothing, Usd } from "~/http/body/fields";
import { usdNumber } from "~/http/body/json/money-json";
import { Button, LinkButton } from "~/ui/Button";
import { Money } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { FormSummary } from "~/ui/forms/PortalForm";
import type { PageHandle } from "~/ui/page-handle";
import { DetailList, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { Returned } from "./Returned";

export const handle: PageHandle = { hydrate: false };

const PRESETS = [10n, 25n, 50n, 100n, 500n];
const CHECKOUT = "/api/billing/checkout";
const NANO_PER_USD = 1_000_000_000n;

const Query = z.object({
  /** As typed; the page reports errors in it. */
  amount: orNothing(z.string().trim().max(100)),
  checkout: z.uuid().optional().catch(undefined),
  cancelled: z.string().optional(),
});

export const loader = pageLoader({ allow: "viewer", query: Query }, async ({ actor, query, context }) => {
  const [{ mayFund, exempt }, returned] = await Promise.all([
    readOwnFunding(db(), actor),
    query.checkout === undefined ? null : ownCheckout(actor, query.checkout),
  ]);
  const processor = readProcessorConfig();
  const amounts = PRESETS.map((usd) => usd * NANO_PER_USD).filter((amount) => fundingBoundsBroken(amount) === null);
  const typed = query.amount;
  const amount = typed === undefined ? undefined : Usd.safeParse(typed).data;
  const bounds = amount === undefined ? null : fundingBoundsBroken(amount);
  const price = amount === undefined || bounds !== null ? null : priceOfCredit(amount, config().funding);
  return {
    mayPay: mayFund && !exempt && processor.configured,
    configured: processor.configured,
    tax: processor.tax,
    presets: amounts.map((nanoUsd) => ({ nanoUsd, text: usdNumber(nanoUsd) })),
    chosen: amount === undefined ? null : { nanoUsd: amount, text: usdNumber(amount) },
    typed,
    isUnreadable: typed !== undefined && amount === undefined,
    bounds,
    price,
    refused: refusedFormOf(context, CHECKOUT),
    returned: returned && { id: query.checkout!, status: returned },
    cancelled: query.cancelled !== undefined,
  };
});

/** Treats another user's checkout as missing. */
function ownCheckout(actor: Parameters<typeof readCheckoutStatus>[1], id: string) {
  return readCheckoutStatus(db(), actor, id).catch((error) => {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  });
}

export default function Fund({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("billing");
  const back = { to: "/dashboard/billing", label: t("title") };
  return (
    <>
      <PageHeader title={t("addFunds")} sub={t("fund.hint")} back={back} />
      {view.returned ? <Returned {...view.returned} cancelled={view.cancelled} /> : null}
      {view.mayPay ? <Choose view={view} /> : <NotHere configured={view.configured} />}
    </>
  );
}

function NotHere({ configured }: { configured: boolean }) {
  const { t } = useTranslation("billing");
  return (
    <Section title={configured ? undefined : t("notSetUp")}>
      <p className="text-ink-2">{configured ? t("payer.ask") : t("notSetUpText")}</p>
    </Section>
  );
}

function Choose({ view }: { view: Route.ComponentProps["loaderData"] }) {
  const { t } = useTranslation("billing");
  const problem = useAmountProblem(view);
  const { presets, chosen, price, tax, refused } = view;
  const entries =
    problem === null ? [] : [{ name: "amount", href: "#amount" as const, label: t("fund.amount"), text: problem }];
  return (
    <Section>
      <div className="grid gap-5">
        <nav aria-label={t("fund.presets")} className="flex flex-wrap gap-2">
          {presets.map(({ nanoUsd, text }) => (
            <LinkButton key={text} to={`?amount=${text}`} small>
              <Money nano={nanoUsd} />
            </LinkButton>
          ))}
        </nav>
        <form method="get" action={href("/dashboard/billing/fund")}>
          <FormStack>
            <FormSummary
              form={{ summary: { problem: problem === null ? (refused?.message ?? null) : null, entries } }}
            />
            <TextField
              name="amount"
              label={t("fund.amount")}
              inputMode="decimal"
              autoComplete="off"
              required
              defaultValue={view.typed}
              problem={problem ?? undefined}
              autoFocus={problem !== null || undefined}
            />
            <FormActions>
              <Button>{t("fund.show")}</Button>
            </FormActions>
          </FormStack>
        </form>
        {price === null || chosen === null ? null : (
          <form method="post" action={href(CHECKOUT)} className="grid max-w-note gap-4">
            <input type="hidden" name="amount" value={chosen.text} />
            <DetailList
              rows={[
                [t("fund.credit"), <Money key="credit" nano={chosen.nanoUsd} />],
                [t("payments.fee"), <Money key="fee" nano={price.feeNanoUsd} />],
                [<b key="total">{t("fund.total")}</b>, <Money key="total" nano={price.totalNanoUsd} />],
              ]}
            />
            {tax ? <p className="text-ink-3">{t("fund.plusTax")}</p> : null}
            <FormActions>
              <Button kind="primary">{t("fund.continue")}</Button>
            </FormActions>
          </form>
        )}
      </div>
    </Section>
  );
}

/** Error of the amount: in the typed text, or from the rejected payment. */
function useAmountProblem({ bounds, isUnreadable, refused }: Route.ComponentProps["loaderData"]): string | null {
  const { t } = useTranslation("problems");
  if (isUnreadable) return t("amount");
  return bounds === null ? (refused?.fields.amount ?? null) : t("fundingAmount", bounds);
}
