import { randomUUID } from "node:crypto";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { requireRecentProof } from "~/access/actor.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { creditByHand, readDeadEvents } from "~/domain/billing/index.server";
import type { DeadEvent } from "~/domain/billing/shared";
import { Button, LinkButton } from "~/ui/Button";
import { type Column, DataTable } from "~/ui/DataTable";
import { DateTime } from "~/ui/Figures";
import { SelectField, TextField } from "~/ui/fields";
import { FormActions, FormStack } from "~/ui/form-parts";
import { PortalForm } from "~/ui/PortalForm";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { usePortalForm } from "~/ui/portal-form";

import { Hidden } from "../Hidden";
import type { Route } from "./+types/page";
import { CreditForm } from "./credit-form.schema";

export const handle: PageHandle = { hydrate: false };

const PAGE = "/dashboard/admin/billing";

export const loader = pageLoader({ allow: "platform_admin" }, async () => ({
  dead: await readDeadEvents(db()),
  requestId: randomUUID(),
}));

export const action = pageAction({ allow: "platform_admin", body: CreditForm }, async ({ actor, body, context }) => {
  requireRecentProof(context);
  const { payer_kind: kind, payer_id: id, amount, reason, request_id: requestId } = body;
  const credit = { payer: { kind, id }, amountNanoUsd: amount, reason, requestId };
  const txn = await creditByHand(db(), actor, credit);
  return { to: PAGE, toast: "billing:admin.credited", answer: { ledger_transaction: String(txn) } };
});

export default function BillingAdministration({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("billing");
  const form = usePortalForm({
    id: "credit-by-hand",
    action: PAGE,
    schema: CreditForm,
    labels: {
      payer_kind: t("admin.payerKind"),
      payer_id: t("admin.payerId"),
      amount: t("admin.amount"),
      reason: t("admin.reason"),
    },
    refused: actionData?.form,
  });
  return (
    <>
      <PageHeader
        title={t("admin.title")}
        sub={t("admin.subtitle")}
        actions={<LinkButton to={href("/dashboard/admin/billing/reconcile")}>{t("admin.reconcile")}</LinkButton>}
      />
      <Section title={t("admin.credit")} id="credit">
        <PortalForm form={form} className="grid gap-4">
          <input type="hidden" name="request_id" value={form.values.request_id ?? view.requestId} />
          <FormStack>
            <SelectField
              {...form.field("payer_kind")}
              required
              options={[
                { value: "organisation", label: t("admin.organisation") },
                { value: "user", label: t("admin.person") },
                { value: "project", label: t("admin.project") },
              ]}
            />
            <TextField {...form.field("payer_id")} hint={t("admin.payerIdHint")} inputMode="numeric" required />
            <TextField {...form.field("amount")} inputMode="decimal" autoComplete="off" required />
            <TextField {...form.field("reason")} hint={t("admin.reasonHint")} maxLength={500} required />
            <FormActions>
              <Button kind="primary">{t("admin.submit")}</Button>
            </FormActions>
          </FormStack>
        </PortalForm>
      </Section>
      <Section flush title={t("admin.dead")} id="events">
        <DeadEvents events={view.dead} />
      </Section>
    </>
  );
}

function DeadEvents({ events }: { events: readonly DeadEvent[] }) {
  const { t } = useTranslation("billing");
  const columns: Column<DeadEvent>[] = [
    {
      id: "event",
      header: t("admin.event"),
      cell: ({ id, type }) => (
        <div className="grid leading-snug">
          <span>{type}</span>
          <code className="text-xs text-ink-3">{id}</code>
        </div>
      ),
    },
    { id: "problem", header: t("admin.problem"), wrap: true, cell: ({ error }) => error },
    { id: "received", header: t("admin.received"), cell: ({ receivedAt }) => <DateTime at={receivedAt} /> },
    {
      id: "actions",
      header: <Hidden>{t("admin.actions")}</Hidden>,
      align: "end",
      cell: ({ id }) => (
        <form method="post" action={`${PAGE}/events/${encodeURIComponent(id)}/replay`}>
          <Button small>{t("admin.replay")}</Button>
        </form>
      ),
    },
  ];
  return (
    <DataTable
      name="payment-events"
      caption={t("admin.dead")}
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("admin.noDead")} />}
    />
  );
}
