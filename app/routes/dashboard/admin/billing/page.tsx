import { randomUUID } from "node:crypto";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { creditByHand, readDeadEvents } from "~/domain/billing/index.server";
import type { DeadEvent } from "~/domain/billing/shared";
import { isLine } from "~/domain/identity/shared";
import { issue } from "~/errors/message";
import { Id, Usd } from "~/http/fields";
import { Button } from "~/ui/Button";
import { type Column, DataTable } from "~/ui/DataTable";
import { DateTime } from "~/ui/Figures";
import { SelectField, TextField } from "~/ui/fields";
import { FormActions, FormProblem, FormStack } from "~/ui/form-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";

import { Hidden } from "../Hidden";
import type { Route } from "./+types/page";

export const handle: PageHandle = { plain: true };

const PAGE = "/dashboard/admin/billing";

export const loader = pageLoader({ allow: "platform_admin" }, async () => ({
  dead: await readDeadEvents(db()),
  requestId: randomUUID(),
}));

const CreditForm = z.object({
  payer_kind: z.enum(["organisation", "user"]),
  payer_id: Id,
  amount: Usd.refine((nanoUsd) => nanoUsd > 0n, issue("problems:amount")),
  reason: z.string().trim().min(1, issue("problems:fillIn")).max(500).refine(isLine, issue("problems:textUnshowable")),
  request_id: z.uuid(),
});

export const action = pageAction({ allow: "platform_admin", body: CreditForm }, async ({ actor, body, context }) => {
  requireRecentProof(context);
  const { payer_kind: kind, payer_id: id, amount, reason, request_id: requestId } = body;
  const credit = { payer: { kind, id }, amountNanoUsd: amount, reason, requestId };
  const txn = await creditByHand(db(), actor, credit);
  return { to: PAGE, toast: "billing:admin.credited", answer: { ledger_transaction: String(txn) } };
});

export default function BillingAdministration({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("billing");
  const form = actionData?.form;
  const field = (name: string) => ({
    name,
    defaultValue: form?.sent[name],
    problem: form?.fields[name],
    required: true,
  });
  return (
    <>
      <PageHeader title={t("admin.title")} sub={t("admin.subtitle")} />
      <Section title={t("admin.credit")} id="credit">
        <form method="post" action={PAGE}>
          <input type="hidden" name="request_id" value={form?.sent.request_id ?? view.requestId} />
          <FormStack>
            <FormProblem text={form?.problem} />
            <SelectField
              {...field("payer_kind")}
              label={t("admin.payerKind")}
              options={[
                { value: "organisation", label: t("admin.organisation") },
                { value: "user", label: t("admin.person") },
              ]}
            />
            <TextField
              {...field("payer_id")}
              label={t("admin.payerId")}
              hint={t("admin.payerIdHint")}
              inputMode="numeric"
            />
            <TextField {...field("amount")} label={t("admin.amount")} inputMode="decimal" />
            <TextField {...field("reason")} label={t("admin.reason")} hint={t("admin.reasonHint")} maxLength={500} />
            <FormActions>
              <Button kind="primary">{t("admin.submit")}</Button>
            </FormActions>
          </FormStack>
        </form>
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
