import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PersonView } from "~/domain/people/index.server";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Count, DateTime, Money, RelativeTime } from "~/ui/Figures";
import type { Column } from "~/ui/lists/DataTable";
import { PayerReason } from "~/ui/PayerReason";
import { RoleBadge, StatusBadge } from "../PersonBadges";

/** Columns of the list of people. `everywhere`: people of several organisations. */
export function usePeopleColumns(everywhere: boolean): Column<PersonView>[] {
  const { t } = useTranslation("admin");
  const muted = (text: string) => <span className="text-ink-3">{text}</span>;
  const columns: (Column<PersonView> | null)[] = [
    {
      id: "person",
      header: t("people.col.person"),
      sort: "person",
      cell: (person) => (
        <Link to={`/dashboard/admin/users/${person.id}`} className="grid leading-snug hover:text-accent">
          <span className="font-strong">{person.name || t("person.unnamed")}</span>
          <span className="text-xs text-ink-3">{person.email}</span>
        </Link>
      ),
    },
    {
      id: "role",
      header: t("people.col.role"),
      sort: "role",
      optional: true,
      cell: (person) => <RoleBadge role={person.role} />,
    },
    {
      id: "status",
      header: t("people.col.status"),
      sort: "status",
      optional: true,
      cell: (person) => <StatusBadge status={person.status} />,
    },
    {
      id: "spent",
      header: t("people.col.spent"),
      align: "end",
      sort: "spent",
      optional: true,
      cell: (person) => <Money nano={person.spentNanoUsd} muted={person.spentNanoUsd === 0n} />,
    },
    {
      id: "budget",
      header: t("people.col.budget"),
      optional: "off",
      cell: ({ budget }) =>
        budget?.limitNanoUsd == null ? (
          muted(t("common.noLimit"))
        ) : (
          <BudgetGauge
            small
            spentNano={budget.spentNanoUsd}
            heldNano={budget.heldNanoUsd}
            limitNano={budget.limitNanoUsd}
          />
        ),
    },
    {
      id: "keys",
      header: t("people.col.keys"),
      align: "end",
      sort: "keys",
      optional: "off",
      cell: (person) => <Count value={person.keys} />,
    },
    {
      id: "seen",
      header: t("people.col.seen"),
      sort: "seen",
      first: "desc",
      optional: true,
      cell: (person) => <RelativeTime at={person.lastSeenAt} never={t("common.never")} />,
    },
    {
      id: "department",
      header: t("people.col.department"),
      sort: "department",
      optional: everywhere ? "off" : true,
      cell: (person) => person.department ?? muted("–"),
    },
    everywhere
      ? {
          id: "organisation",
          header: t("people.col.organisation"),
          sort: "organisation",
          optional: true,
          cell: (person) => person.organisation,
        }
      : null,
    {
      id: "billing",
      header: t("people.col.billing"),
      optional: "off",
      wrap: true,
      cell: ({ payer, payerReason }) => (
        <>
          {payer.kind === "person" ? payer.email : t(`people.payer.${payer.kind}`)}
          <PayerReason reason={payerReason} exempt={payer.kind === "nobody"} />
        </>
      ),
    },
    {
      id: "credit",
      header: t("people.col.credit"),
      align: "end",
      optional: "off",
      cell: (person) => (person.creditLimitNanoUsd === 0n ? muted("–") : <Money nano={person.creditLimitNanoUsd} />),
    },
    {
      id: "linked",
      header: t("people.col.linked"),
      optional: "off",
      cell: ({ providers }) => (providers.length === 0 ? muted(t("people.filter.passwordOnly")) : providers.join(", ")),
    },
    {
      id: "terms",
      header: t("people.col.terms"),
      optional: "off",
      cell: (person) => person.termsVersion ?? muted(t("common.never")),
    },
    {
      id: "created",
      header: t("people.col.created"),
      sort: "created",
      first: "desc",
      optional: "off",
      cell: (person) => <DateTime at={person.createdAt} dateOnly />,
    },
  ];
  return columns.filter((column) => column !== null);
}
