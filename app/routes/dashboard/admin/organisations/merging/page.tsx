import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { ROLES, type Role } from "~/domain/accounts/shared";
import { type MergeData, readMergeData } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";
import { Button, LinkButton } from "~/ui/Button";
import { Count, Money } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { CheckboxField, SelectField } from "~/ui/forms/fields";
import { FormSummary, PortalForm } from "~/ui/forms/PortalForm";
import { type PortalFormState, usePortalForm } from "~/ui/forms/portal-form";
import { DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { RoleBadge } from "../../PersonBadges";
import { MergeForm } from "../merge-form.schema";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

const MAX_COUNT = 20;
const MERGE = "/dashboard/admin/organisations/merge";

/** Previews a merge of the chosen organisations. */
export const loader = pageLoader({ allow: "platform_admin" }, async ({ actor, url, context }) => {
  const requestedIds = url.searchParams.getAll("merge").flatMap((word) => {
    const id = Id.safeParse(word);
    return id.success ? [id.data] : [];
  });
  const ids = [...new Set(requestedIds)].slice(0, MAX_COUNT);
  const all = await Promise.all(ids.map((id) => readMergeData(db(), actor, id)));
  const wanted = Number(url.searchParams.get("target"));
  const targetId = ids.includes(wanted) ? wanted : ids[0];
  return { all, targetId, isOwner: actor.role === "owner", refused: refusedFormOf(context, MERGE) };
});

export default function Merging({ loaderData: view }: Route.ComponentProps) {
  const { all, targetId } = view;
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
      <Merge target={target} sources={sources} view={view} />
    </>
  );
}

type MergeProps = { target: MergeData; sources: readonly MergeData[]; view: Route.ComponentProps["loaderData"] };

function Merge({ target, sources, view: { all, isOwner, refused } }: MergeProps) {
  const { t } = useTranslation("admin");
  const leading = leadersOf(all, isOwner);
  const changeable = leading.filter(({ choices }) => choices.length > 0);
  const form = usePortalForm<string>({
    id: "merge",
    action: href(MERGE),
    schema: MergeForm,
    labels: {
      ...Object.fromEntries(changeable.map(({ id, email }) => [`role_${id}`, `${t("people.col.role")}: ${email}`])),
      billing_user_id: t("merge.payer"),
      sure: t("merge.confirm"),
    },
    values: { billing_user_id: target.billingUserId === null ? "" : String(target.billingUserId) },
    refused,
  });
  return (
    <PortalForm form={form} summary={false}>
      <div className="mb-3.5 empty:hidden">
        <FormSummary form={form} />
      </div>
      <input type="hidden" name="target_org_id" value={target.organisation.id} />
      <input type="hidden" name="source_org_ids" value={sources.map(({ organisation }) => organisation.id).join(",")} />
      <Sources sources={sources} />
      <Roles leading={leading} form={form} />
      <Section>
        <Payer all={all} form={form} />
      </Section>
      <Section>
        <div className="grid gap-4">
          <p className="text-ink-2">{t("merge.history")}</p>
          <CheckboxField {...form.box("sure")} required />
          <div>
            <Button kind="danger">{t("merge.button", { name: target.organisation.name })}</Button>
          </div>
        </div>
      </Section>
    </PortalForm>
  );
}

function Sources({ sources }: { sources: readonly MergeData[] }) {
  const { t } = useTranslation("admin");
  const { language } = useDocumentFacts();
  const total = sources.reduce((sum, { walletNanoUsd, heldNanoUsd }) => sum + walletNanoUsd - heldNanoUsd, 0n);
  const totalHeld = sources.reduce((sum, { heldNanoUsd }) => sum + heldNanoUsd, 0n);
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
        <p>{t("merge.money", { amount: moneyText(total, language), held: moneyText(totalHeld, language) })}</p>
        {adminKeys ? <p>{t("merge.adminKeys")}</p> : null}
      </div>
    </Section>
  );
}

const LEADING: readonly string[] = ["owner", "platform_admin", "org_admin", "department_admin"];

type Leader = MergeData["members"][number] & { organisation: string; choices: readonly Role[] };

/**
 * Owners and admins of all the organisations, and the roles that the reader may assign to each; without any the role
 * stays.
 */
function leadersOf(all: readonly MergeData[], isOwner: boolean): Leader[] {
  // The rule applies to both the current and the new role.
  const mayChange = (role: string) => isOwner || !["owner", "platform_admin"].includes(role);
  return all.flatMap(({ organisation, members }) =>
    members
      .filter(({ role }) => LEADING.includes(role))
      .map((member) => ({
        ...member,
        organisation: organisation.name,
        choices: mayChange(member.role) ? ROLES.filter(mayChange) : [],
      })),
  );
}

function Roles({ leading, form }: { leading: readonly Leader[]; form: PortalFormState }) {
  const { t } = useTranslation("admin");
  if (leading.length === 0) return null;
  return (
    <Section title={t("merge.roles")} aside={t("merge.rolesHint")} flush>
      <DataTable
        name="merge-roles"
        caption={t("merge.roles")}
        rows={leading}
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
            cell: ({ role }) => <RoleBadge role={role as Role} />,
          },
          {
            id: "after",
            header: t("merge.after"),
            cell: ({ id, choices }) =>
              choices.length > 0 ? <RoleChoice field={form.field(`role_${id}`)} choices={choices} /> : t("merge.keep"),
          },
        ]}
      />
    </Section>
  );
}

type RoleChoiceProps = { field: ReturnType<PortalFormState["field"]>; choices: readonly Role[] };

function RoleChoice({ field: { label, problem, ...field }, choices }: RoleChoiceProps) {
  const { t } = useTranslation("admin");
  const problemId = `${field.id}-problem`;
  return (
    <>
      <select
        {...field}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
        className="field field-select field-small"
      >
        <option value="">{t("merge.keep")}</option>
        {choices.map((role) => (
          <option key={role} value={role}>
            {t(`roles.${role}`)}
          </option>
        ))}
      </select>
      {problem ? (
        <p id={problemId} className="field-problem">
          {problem}
        </p>
      ) : null}
    </>
  );
}

function Payer({ all, form }: { all: readonly MergeData[]; form: PortalFormState }) {
  const { t } = useTranslation("admin");
  return (
    <div className="max-w-note">
      <SelectField
        {...form.field("billing_user_id")}
        hint={t("organisation.payerHint")}
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
