import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { ROLES } from "~/domain/identity/shared";
import { type MergeData, readMergeData } from "~/domain/organisations/index.server";
import { Id } from "~/http/fields";
import { Button, LinkButton } from "~/ui/Button";
import { DataTable } from "~/ui/DataTable";
import { useDocumentFacts } from "~/ui/document-context";
import { Count, Money } from "~/ui/Figures";
import { CheckboxField, SelectField } from "~/ui/fields";
import { moneyText } from "~/ui/format";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { RoleBadge } from "../../PersonBadges";
import type { Route } from "./+types/page";

export const handle: PageHandle = { plain: true };

const MAX_COUNT = 20;

/** What a merge of the chosen organisations would do, before anybody does it. */
export const loader = pageLoader({ allow: "platform_admin" }, async ({ actor, url }) => {
  const asked = url.searchParams.getAll("merge").flatMap((word) => {
    const id = Id.safeParse(word);
    return id.success ? [id.data] : [];
  });
  const ids = [...new Set(asked)].slice(0, MAX_COUNT);
  const all = await Promise.all(ids.map((id) => readMergeData(db(), actor, id)));
  const wanted = Number(url.searchParams.get("target"));
  const targetId = ids.includes(wanted) ? wanted : ids[0];
  return { all, targetId, isOwner: actor.role === "owner" };
});

export default function Merging({ loaderData: { all, targetId, isOwner } }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const target = all.find(({ organisation }) => organisation.id === targetId);
  const sources = all.filter(({ organisation }) => organisation.id !== targetId);
  const back = { to: "/dashboard/admin/organisations", label: t("merge.back") };
  if (target === undefined || sources.length === 0) {
    return (
      <>
        <PageHeader back={back} title={t("merge.title")} sub={t("merge.subtitle")} />
        <Section>
          <EmptyState title={t("merge.tooFew")} action={<LinkButton to={back.to}>{t("merge.back")}</LinkButton>} />
        </Section>
      </>
    );
  }
  return (
    <>
      <PageHeader back={back} title={t("merge.title")} sub={t("merge.subtitle")} />
      <Section>
        <form method="get" className="flex flex-wrap items-end gap-3">
          {all.map(({ organisation }) => (
            <input key={organisation.id} type="hidden" name="merge" value={organisation.id} />
          ))}
          <div className="min-w-60">
            <SelectField
              name="target"
              label={t("merge.target")}
              defaultValue={String(targetId)}
              options={all.map(({ organisation }) => ({ value: String(organisation.id), label: organisation.name }))}
            />
          </div>
          <Button>{t("merge.refresh")}</Button>
        </form>
      </Section>
      <form method="post" action={href("/dashboard/admin/organisations/merge")}>
        <input type="hidden" name="target_org_id" value={targetId} />
        <input
          type="hidden"
          name="source_org_ids"
          value={sources.map(({ organisation }) => organisation.id).join(",")}
        />
        <Sources sources={sources} />
        <Roles all={all} isOwner={isOwner} />
        <Section>
          <Payer all={all} current={target.billingUserId} />
        </Section>
        <Section>
          <div className="grid gap-4">
            <p className="text-ink-2">{t("merge.history")}</p>
            <CheckboxField name="sure" label={t("merge.confirm")} required />
            <div>
              <Button kind="danger">{t("merge.button", { name: target.organisation.name })}</Button>
            </div>
          </div>
        </Section>
      </form>
    </>
  );
}

function Sources({ sources }: { sources: readonly MergeData[] }) {
  const { t } = useTranslation("admin");
  const { language } = useDocumentFacts();
  const total = sources.reduce((sum, { walletNanoUsd, heldNanoUsd }) => sum + walletNanoUsd - heldNanoUsd, 0n);
  const held = sources.reduce((sum, { heldNanoUsd }) => sum + heldNanoUsd, 0n);
  const adminKeys = sources.some(({ moves }) => moves.adminKeys > 0);
  return (
    <Section title={t("merge.sources")} flush>
      <DataTable
        name="merge"
        caption={t("merge.sources")}
        rows={sources}
        rowKey={({ organisation }) => organisation.id}
        columns={[
          {
            id: "organisation",
            header: t("merge.col.organisation"),
            cell: ({ organisation }) => <b className="font-strong">{organisation.name}</b>,
          },
          {
            id: "people",
            header: t("merge.col.people"),
            align: "end",
            cell: ({ moves }) => <Count value={moves.people} />,
          },
          { id: "keys", header: t("merge.col.keys"), align: "end", cell: ({ moves }) => <Count value={moves.keys} /> },
          {
            id: "adminKeys",
            header: t("merge.col.adminKeys"),
            align: "end",
            cell: ({ moves }) => <Count value={moves.adminKeys} />,
          },
          {
            id: "departments",
            header: t("merge.col.departments"),
            align: "end",
            cell: ({ moves }) => <Count value={moves.departments} />,
          },
          {
            id: "projects",
            header: t("merge.col.projects"),
            align: "end",
            cell: ({ moves }) => <Count value={moves.projects} />,
          },
          {
            id: "wallet",
            header: t("merge.col.wallet"),
            align: "end",
            cell: (row) => <Money nano={row.walletNanoUsd} />,
          },
          { id: "held", header: t("merge.col.held"), align: "end", cell: (row) => <Money nano={row.heldNanoUsd} /> },
          {
            id: "credit",
            header: t("merge.col.credit"),
            align: "end",
            cell: (row) => <Money nano={row.creditLimitNanoUsd} />,
          },
        ]}
      />
      <div className="grid gap-1 border-line border-t px-4 py-3 text-ink-2">
        <p>{t("merge.money", { amount: moneyText(total, language), held: moneyText(held, language) })}</p>
        {adminKeys ? <p>{t("merge.adminKeys")}</p> : null}
      </div>
    </Section>
  );
}

const LEADING: readonly string[] = ["owner", "platform_admin", "org_admin", "department_admin"];

function Roles({ all, isOwner }: { all: readonly MergeData[]; isOwner: boolean }) {
  const { t } = useTranslation("admin");
  const people = all.flatMap(({ organisation, members }) =>
    members
      .filter(({ role }) => LEADING.includes(role))
      .map((member) => ({ ...member, organisation: organisation.name })),
  );
  if (people.length === 0) return null;
  // The same for the role that somebody has and for the one that they get.
  const mayChange = (role: string) => isOwner || !["owner", "platform_admin"].includes(role);
  return (
    <Section title={t("merge.roles")} aside={t("merge.rolesHint")} flush>
      <DataTable
        name="merge-roles"
        caption={t("merge.roles")}
        rows={people}
        rowKey={({ id }) => id}
        columns={[
          {
            id: "person",
            header: t("people.col.person"),
            cell: (person) => (
              <span className="grid leading-snug">
                <span className="font-strong">{person.name || person.email}</span>
                <span className="text-xs text-ink-3">{person.email}</span>
              </span>
            ),
          },
          { id: "organisation", header: t("people.col.organisation"), cell: (person) => person.organisation },
          {
            id: "role",
            header: t("people.col.role"),
            cell: ({ role }) => <RoleBadge role={role as (typeof ROLES)[number]} />,
          },
          {
            id: "after",
            header: t("merge.after"),
            cell: (person) =>
              mayChange(person.role) ? (
                <select
                  name={`role_${person.id}`}
                  aria-label={`${t("people.col.role")}: ${person.email}`}
                  defaultValue=""
                  className="field field-select field-small"
                >
                  <option value="">{t("merge.keep")}</option>
                  {ROLES.filter(mayChange).map((role) => (
                    <option key={role} value={role}>
                      {t(`roles.${role}`)}
                    </option>
                  ))}
                </select>
              ) : (
                t("merge.keep")
              ),
          },
        ]}
      />
    </Section>
  );
}

function Payer({ all, current }: { all: readonly MergeData[]; current: number | null }) {
  const { t } = useTranslation("admin");
  return (
    <div className="max-w-note">
      <SelectField
        name="billing_user_id"
        label={t("merge.payer")}
        hint={t("organisation.payerHint")}
        defaultValue={current === null ? "" : String(current)}
        options={[
          { value: "", label: t("merge.payerNone") },
          ...all.flatMap(({ members }) =>
            members.flatMap(({ id, email, status }) =>
              status === "active" ? [{ value: String(id), label: email }] : [],
            ),
          ),
        ]}
      />
    </div>
  );
}
