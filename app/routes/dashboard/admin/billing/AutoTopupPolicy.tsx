import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { AutoTopupPolicyView, OpenAutoTopup, PausedAutoTopup } from "~/domain/billing/shared";
import { Button } from "~/ui/Button";
import { DateTime, Money } from "~/ui/Figures";
import { SwitchField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState, Section } from "~/ui/page-parts";
import { plainUsd } from "~/values/money";
import { AutoTopupPolicyForm } from "./auto-topup-policy.schema";

const typed = (nanoUsd: bigint | undefined, otherwise: string) =>
  nanoUsd === undefined ? otherwise : plainUsd(nanoUsd);

type Props = {
  policy: AutoTopupPolicyView | null;
  refused: RefusedValues | null;
  open: readonly OpenAutoTopup[];
  paused: readonly PausedAutoTopup[];
};

/**
 * The operator's bounds for automatic charges of customers, the open charges, and the settings that wait for a new
 * consent.
 */
export function AutoTopupPolicy({ policy, refused, open, paused }: Props) {
  const { t } = useTranslation("autoTopup");
  const form = usePortalForm({
    id: "auto-topup-policy",
    action: href("/dashboard/admin/billing/auto-topup-policy"),
    schema: AutoTopupPolicyForm,
    labels: {
      approved: t("admin.approved"),
      max_charge: t("admin.maxCharge"),
      max_day: t("admin.maxDay"),
      max_month: t("admin.maxMonth"),
    },
    values: {
      approved: policy?.approved ? "on" : "",
      max_charge: typed(policy?.maxChargeNanoUsd, "100.00"),
      max_day: typed(policy?.maxDayNanoUsd, "200.00"),
      max_month: typed(policy?.maxMonthNanoUsd, "1000.00"),
    },
    refused,
  });
  const money = { inputMode: "decimal", autoComplete: "off", required: true } as const;
  return (
    <>
      <Section title={t("admin.title")} id="auto-topup">
        <div className="grid gap-4">
          <p className="text-ink-2">{t("admin.text")}</p>
          <p className="text-ink-3">
            {policy === null ? (
              t("admin.none")
            ) : (
              <>
                {t("admin.decided", { version: policy.version, name: policy.decidedBy })},{" "}
                <DateTime at={policy.decidedAt} />
              </>
            )}
          </p>
          <PortalForm form={form} className="grid gap-4">
            <input type="hidden" name="version" value={policy?.version ?? 0} />
            <SwitchField {...form.box("approved")} />
            <FormStack>
              <TextField {...form.field("max_charge")} {...money} hint={t("admin.hint")} />
              <TextField {...form.field("max_day")} {...money} />
              <TextField {...form.field("max_month")} {...money} />
            </FormStack>
            <FormActions>
              <Button kind="primary">{t("admin.save")}</Button>
            </FormActions>
          </PortalForm>
        </div>
      </Section>
      <Section flush title={t("admin.open")} id="auto-topups">
        <OpenTopups open={open} />
      </Section>
      <Section flush title={t("admin.paused")} id="paused-auto-topups">
        <PausedTopups paused={paused} />
      </Section>
    </>
  );
}

function OpenTopups({ open }: { open: readonly OpenAutoTopup[] }) {
  const { t } = useTranslation("autoTopup");
  const columns: Column<OpenAutoTopup>[] = [
    { id: "payer", header: t("admin.payer"), wrap: true, cell: ({ payer }) => payer },
    { id: "state", header: t("admin.state"), cell: ({ state }) => t(`operation.${state}`) },
    {
      id: "amount",
      header: t("admin.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
    },
    { id: "since", header: t("admin.since"), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  ];
  return (
    <DataTable
      name="auto-topups"
      caption={t("admin.open")}
      columns={columns}
      rows={open}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("admin.noOpen")} />}
    />
  );
}

function PausedTopups({ paused }: { paused: readonly PausedAutoTopup[] }) {
  const { t } = useTranslation("autoTopup");
  const columns: Column<PausedAutoTopup>[] = [
    { id: "payer", header: t("admin.payer"), wrap: true, cell: ({ payer }) => payer },
    { id: "reason", header: t("admin.reason"), cell: ({ reason }) => t(`admin.reasons.${reason}`) },
    {
      id: "amount",
      header: t("admin.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
    },
    { id: "since", header: t("admin.since"), cell: ({ pausedAt }) => <DateTime at={pausedAt} /> },
  ];
  return (
    <DataTable
      name="paused-auto-topups"
      caption={t("admin.paused")}
      columns={columns}
      rows={paused}
      rowKey={({ walletId }) => String(walletId)}
      empty={<EmptyState title={t("admin.noPaused")} />}
    />
  );
}
