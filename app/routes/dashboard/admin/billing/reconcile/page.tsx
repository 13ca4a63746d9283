import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readLatestAudit, readReviews } from "~/domain/billing/index.server";
import type { AuditRunView, ReviewView } from "~/domain/billing/shared";
import { readJobs } from "~/jobs/index.server";
import { Button } from "~/ui/Button";
import { DateTime, Money, RelativeTime } from "~/ui/Figures";
import { FormProblem } from "~/ui/forms/form-parts";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { Clearing } from "./Clearing";

export const handle: PageHandle = { hydrate: false };

const AUDIT = "/dashboard/admin/billing/reconcile/audit";

export const loader = pageLoader({ allow: "platform_admin" }, async ({ context }) => {
  const [audit, reviews, jobs] = await Promise.all([readLatestAudit(db()), readReviews(db()), readJobs(db())]);
  const running = jobs.some(({ name, runningSince }) => name === "audit-ledger" && runningSince !== null);
  return { audit, reviews, running, refused: refusedFormOf(context, AUDIT) };
});

export default function Reconcile({ loaderData: { audit, reviews, running, refused } }: Route.ComponentProps) {
  const { t } = useTranslation("reconcile");
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/admin/billing", label: t("back") }}
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <form method="post" action={AUDIT}>
            <Button kind="primary">{t("run")}</Button>
          </form>
        }
      />
      <FormProblem text={refused?.message} />
      <Section flush={audit !== null && audit.defects.length > 0} title={t("audit.title")} id="audit">
        <Audit audit={audit} running={running} />
      </Section>
      {audit === null ? null : <Clearing audit={audit} />}
      <Section flush title={t("reviews.title")} id="reviews" aside={t("reviews.hint")}>
        <Reviews reviews={reviews} />
      </Section>
    </>
  );
}

function Audit({ audit, running }: { audit: AuditRunView | null; running: boolean }) {
  const { t } = useTranslation("reconcile");
  if (audit === null) return <p className="text-ink-2">{t(running ? "audit.running" : "audit.never")}</p>;
  const state = (
    <p className="flex flex-wrap items-center gap-2.5">
      <Badge kind={audit.defects.length === 0 ? "good" : "bad"}>
        {audit.defects.length === 0 ? t("audit.sound") : t("audit.defects", { count: audit.defects.length })}
      </Badge>
      <span className="text-ink-2">
        {t("audit.at")} <DateTime at={audit.finishedAt} />
      </span>
      {running ? <span className="text-ink-3">{t("audit.running")}</span> : null}
    </p>
  );
  if (audit.defects.length === 0) return state;
  return (
    <>
      <div className="px-4 py-3.5">{state}</div>
      <Defects defects={audit.defects} />
    </>
  );
}

type Defect = AuditRunView["defects"][number];

function Defects({ defects }: { defects: readonly Defect[] }) {
  const { t } = useTranslation("reconcile");
  const meaning = t as unknown as (key: string, options: { defaultValue: string }) => string;
  const columns: Column<Defect>[] = [
    {
      id: "defect",
      header: t("audit.defect"),
      wrap: true,
      cell: ({ defect }) => (
        <div className="grid leading-snug">
          <span>{meaning(`defect.${defect}`, { defaultValue: t("defect.other") })}</span>
          <code className="text-xs text-ink-3">{defect}</code>
        </div>
      ),
    },
    { id: "subject", header: t("audit.subject"), cell: ({ subject }) => subject },
    { id: "detail", header: t("audit.detail"), wrap: true, cell: ({ detail }) => detail },
  ];
  return (
    <DataTable
      name="ledger-defects"
      caption={t("audit.title")}
      columns={columns}
      rows={defects}
      rowKey={({ defect, subject }) => `${defect} ${subject}`}
    />
  );
}

function Reviews({ reviews }: { reviews: readonly ReviewView[] }) {
  const { t } = useTranslation("reconcile");
  const columns: Column<ReviewView>[] = [
    {
      id: "call",
      header: t("reviews.call"),
      cell: ({ callId }) => (
        <Link to={href("/dashboard/admin/billing/reconcile/:callId", { callId })} className="mono hover:text-accent">
          {callId}
        </Link>
      ),
    },
    { id: "since", header: t("reviews.since"), cell: ({ admittedAt }) => <RelativeTime at={admittedAt} /> },
    { id: "organisation", header: t("reviews.organisation"), cell: ({ organisation }) => organisation },
    { id: "model", header: t("reviews.model"), cell: ({ model }) => model || "–" },
    {
      id: "held",
      header: t("reviews.held"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
    },
    { id: "reason", header: t("reviews.reason"), wrap: true, cell: (review) => <WhatHappened review={review} /> },
  ];
  return (
    <DataTable
      name="reviews"
      caption={t("reviews.title")}
      columns={columns}
      rows={reviews}
      rowKey={({ callId }) => callId}
      empty={<EmptyState title={t("reviews.empty")}>{t("reviews.emptyText")}</EmptyState>}
    />
  );
}

function WhatHappened({ review: { reason } }: { review: ReviewView }) {
  const { t } = useTranslation("reconcile");
  return reason === "lease_expired" ? t("reviews.leaseExpired") : reason || t("reviews.unknown");
}
