import { randomUUID } from "node:crypto";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { refusedFormOf } from "~/access/flash.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import {
  creditByHand,
  readAutoTopupPolicy,
  readConnectionProblems,
  readDeadEvents,
  readMismatches,
  readOpenAutoTopups,
  readPausedAutoTopups,
  readPayerChoice,
  searchPayers,
} from "~/domain/billing/index.server";
import type { DeadEvent, PayerKind } from "~/domain/billing/shared";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { Button, LinkButton } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import type { RefusedValues } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Hidden } from "../Hidden";
import type { Route } from "./+types/page";
import { AutoTopupPolicy } from "./AutoTopupPolicy";
import { ConnectionProblems } from "./ConnectionProblems";
import { CreditByHand, PayerPicker } from "./CreditByHand";
import { CreditForm } from "./credit-form.schema";
import { PaymentMismatches } from "./PaymentMismatches";

export const handle: PageHandle = { hydrate: false };

const PAGE = "/dashboard/admin/billing";

/** The payer to credit, such as `user:7`. */
const PayerAddress = z
  .string()
  .regex(/^(?:organisation|user|project):[1-9]\d{0,9}$/)
  .transform((text) => {
    const [kind, id] = text.split(":") as [PayerKind, string];
    return { kind, id: Number(id) };
  })
  .refine(({ id }) => Id.safeParse(id).success);

const Query = z.object({ q: orNothing(SearchText), payer: PayerAddress.optional().catch(undefined) });

export const loader = pageLoader(
  { allow: "platform_admin", query: Query },
  async ({ actor, query: { q, payer }, context }) => ({
    connection: await readConnectionProblems(db()),
    dead: await readDeadEvents(db()),
    mismatches: await readMismatches(db()),
    searched: q,
    found: q === undefined ? [] : await searchPayers(db(), actor, q),
    chosen: payer === undefined ? null : await readPayerChoice(db(), actor, payer),
    autoTopup: {
      policy: await readAutoTopupPolicy(db()),
      open: await readOpenAutoTopups(db()),
      paused: await readPausedAutoTopups(db()),
      refused: refusedFormOf(context, "/dashboard/admin/billing/auto-topup-policy"),
    },
    requestId: randomUUID(),
  }),
);

export const action = pageAction({ allow: "platform_admin", body: CreditForm }, async ({ actor, body, context }) => {
  requireRecentProof(context);
  const { payer_kind: kind, payer_id: id, amount, reason, request_id: requestId } = body;
  const credit = { payer: { kind, id }, amountNanoUsd: amount, reason, requestId };
  const txn = await creditByHand(db(), actor, credit);
  return { to: PAGE, toast: "billing:admin.credited", answer: { ledger_transaction: String(txn) } };
});

export default function BillingAdministration({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("billing");
  return (
    <>
      <PageHeader
        title={t("admin.title")}
        sub={t("admin.subtitle")}
        actions={<LinkButton to={href("/dashboard/admin/billing/reconcile")}>{t("admin.reconcile")}</LinkButton>}
      />
      {view.chosen === null ? (
        <PayerPicker searched={view.searched} found={view.found} problem={problemOf(actionData?.form)} />
      ) : (
        <CreditByHand chosen={view.chosen} requestId={view.requestId} refused={actionData?.form} />
      )}
      <AutoTopupPolicy {...view.autoTopup} />
      {view.connection !== null && (
        <Section flush title={t("admin.connection")} id="connection">
          <ConnectionProblems problems={view.connection} />
        </Section>
      )}
      <Section flush title={t("admin.dead")} id="events">
        <DeadEvents events={view.dead} />
      </Section>
      <Section flush title={t("admin.mismatches")} id="mismatches">
        <PaymentMismatches mismatches={view.mismatches} />
      </Section>
    </>
  );
}

/** The error of a rejected credit form whose payer this page cannot show. */
const problemOf = (form: RefusedValues | undefined): string | null =>
  form === undefined ? null : (form.problem ?? Object.values(form.fields)[0] ?? form.message ?? null);

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
