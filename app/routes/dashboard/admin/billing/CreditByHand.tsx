import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { PayerChoice, PayerKind } from "~/domain/billing/shared";
import { Button } from "~/ui/Button";
import { Money } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { FormSummary, PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { DetailList, EmptyState, Section } from "~/ui/page-parts";
import { CreditForm } from "./credit-form.schema";

type Chosen = { kind: PayerKind; id: number; name: string; balanceNanoUsd: bigint | null };

const addressOf = ({ kind, id }: { kind: PayerKind; id: number }) =>
  `${href("/dashboard/admin/billing")}?payer=${kind}:${id}`;

type PickerProps = { searched: string | undefined; found: readonly PayerChoice[]; problem: string | null };

/** Searches a payer to credit, by name or email address; each match is a link. */
export function PayerPicker({ searched, found, problem }: PickerProps) {
  const { t } = useTranslation("billing");
  const columns: Column<PayerChoice>[] = [
    {
      id: "name",
      header: t("admin.payer"),
      wrap: true,
      cell: (payer) => (
        <Link to={`${addressOf(payer)}#credit`} className="font-strong hover:text-accent">
          {payer.name}
        </Link>
      ),
    },
    { id: "kind", header: t("admin.payerKind"), cell: ({ kind }) => t(`admin.kinds.${kind}`) },
    { id: "about", header: t("admin.about"), wrap: true, cell: ({ about }) => about ?? "" },
  ];
  return (
    <Section flush title={t("admin.credit")} id="credit">
      <form method="get" action={`${href("/dashboard/admin/billing")}#credit`} className="px-4 py-3.5">
        <FormStack>
          <FormSummary form={{ summary: { problem, entries: [] } }} />
          <TextField
            name="q"
            type="search"
            label={t("admin.search")}
            hint={t("admin.searchHint")}
            defaultValue={searched}
            maxLength={200}
            required
          />
          <FormActions>
            <Button>{t("admin.find")}</Button>
          </FormActions>
        </FormStack>
      </form>
      {searched === undefined ? null : (
        <DataTable
          name="payers"
          caption={t("admin.search")}
          columns={columns}
          rows={found}
          rowKey={({ kind, id }) => `${kind}:${id}`}
          empty={<EmptyState title={t("admin.noPayer")} />}
        />
      )}
    </Section>
  );
}

/** The amount of a credit, and its reason. */
export function CreditByHand({
  chosen,
  requestId,
  refused,
}: {
  chosen: Chosen;
  requestId: string;
  refused: RefusedValues | null | undefined;
}) {
  const { t } = useTranslation("billing");
  const form = usePortalForm({
    id: "credit-by-hand",
    schema: CreditForm,
    labels: { amount: t("admin.amount"), reason: t("admin.reason") },
    refused,
  });
  return (
    <Section title={t("admin.credit")} id="credit">
      <div className="grid gap-4">
        <DetailList
          rows={[
            [t(`admin.kinds.${chosen.kind}`), <b key="name">{chosen.name}</b>],
            [t("balance.settled"), <Money key="balance" nano={chosen.balanceNanoUsd} />],
            [
              t("admin.payer"),
              <Link key="other" to={`${href("/dashboard/admin/billing")}#credit`} className="link">
                {t("admin.other")}
              </Link>,
            ],
          ]}
        />
        <PortalForm form={form} className="grid gap-4">
          <input type="hidden" name="request_id" value={form.values.request_id ?? requestId} />
          <input type="hidden" name="payer_kind" value={chosen.kind} />
          <input type="hidden" name="payer_id" value={chosen.id} />
          <FormStack>
            <TextField {...form.field("amount")} inputMode="decimal" autoComplete="off" required />
            <TextField {...form.field("reason")} hint={t("admin.reasonHint")} maxLength={500} required />
            <FormActions>
              <Button kind="primary">{t("admin.submit")}</Button>
            </FormActions>
          </FormStack>
        </PortalForm>
      </div>
    </Section>
  );
}
