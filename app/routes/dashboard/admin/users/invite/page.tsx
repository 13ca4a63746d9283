import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { shownOnceOf } from "~/access/flash.server";
import { pageAction, type RefusedHere } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { emailsProve } from "~/domain/accounts/index.server";
import { atLeast } from "~/domain/accounts/shared";
import { listInvites } from "~/domain/organisations/index.server";
import type { InviteView } from "~/domain/organisations/shared";
import { grantableRoles, listChoices } from "~/domain/people/index.server";
import { Id, orNothing } from "~/http/body/fields";
import { runsInstallation } from "~/routes/role-emails.server";
import { Button } from "~/ui/Button";
import { CopyText } from "~/ui/CopyText";
import { DateTime, RelativeTime } from "~/ui/Figures";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { DataTable } from "~/ui/lists/DataTable";
import { addressWith, usePages } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { BulkBar } from "~/ui/lists/selection";
import { Badge, type BadgeKind, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Segments } from "~/ui/Tabs";
import { Hidden } from "../../Hidden";
import { RoleBadge } from "../../PersonBadges";
import type { Route } from "./+types/page";
import { InviteForm } from "./invite-form.schema";
import { sendInvitation } from "./send-invitation.server";

const PAGE_SIZE = 50;
const Query = z.object({ show: orNothing(z.enum(["pending", "all"])), after: orNothing(Id), org: orNothing(Id) });

export const loader = pageLoader({ allow: "department_admin", query: Query }, async ({ actor, query, context }) => {
  const runs = atLeast(actor.role, "platform_admin");
  const organisationId = runs ? (query.org ?? actor.adminOrganisationId ?? actor.organisationId) : actor.organisationId;
  const pendingOnly = query.show !== "all";
  const [list, choices] = await Promise.all([
    listInvites(db(), actor, { pendingOnly, beforeId: query.after ?? null, limit: PAGE_SIZE }),
    listChoices(db(), { ...actor, adminOrganisationId: null }, organisationId),
  ]);
  const roles = grantableRoles(actor.role).filter((role) => role !== "owner");
  const shownOnce = shownOnceOf(context);
  const link = shownOnce?.kind === "invite" ? shownOnce : null;
  return {
    ...list,
    ...choices,
    roles,
    pendingOnly,
    organisationId,
    link,
    runs,
    mails: emailsProve(),
    needsDepartment: actor.role === "department_admin",
  };
});

export const action = pageAction({ allow: "department_admin", body: InviteForm }, async (call) => {
  if (runsInstallation(call.body.role)) requireRecentProof(call.context);
  return sendInvitation(call.actor, call.body, call);
});

export default function Invite({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const [query] = useSearchParams();
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/admin/users", label: t("person.back") }}
        title={t("invites.title")}
        sub={t("invites.subtitle")}
      />
      {view.link === null ? null : (
        <Section title={t("invites.linkTitle")}>
          <div className="grid grid-cols-1 gap-2">
            <p className="text-ink-2">{t("invites.linkText", { email: view.link.label ?? "" })}</p>
            <CopyText text={view.link.secret} what={t("invites.linkTitle")} />
            <p className="field-hint">{t("invites.linkUnproven")}</p>
          </div>
        </Section>
      )}
      {view.mails ? null : (
        <p className="mb-3.5 rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-ink-2">
          {t(view.runs ? "invites.noMailRuns" : "invites.noMail")}
        </p>
      )}
      <Section title={t("invites.form")}>
        <NewInvite view={view} refused={actionData?.form} />
      </Section>
      <Section
        flush
        title={t("invites.table")}
        aside={
          <Segments
            label={t("invites.table")}
            items={[
              {
                to: addressWith(query, { show: null, after: null }),
                label: t("invites.pending"),
                current: view.pendingOnly,
              },
              {
                to: addressWith(query, { show: "all", after: null }),
                label: t("invites.everything"),
                current: !view.pendingOnly,
              },
            ]}
          />
        }
      >
        <InviteTable invites={view.invites} runs={view.runs} />
        <InviteBulk />
        <Pager {...usePages(view.nextBeforeId)} />
      </Section>
    </>
  );
}

function NewInvite({ view, refused }: { view: Route.ComponentProps["loaderData"]; refused?: RefusedHere }) {
  const { t } = useTranslation("admin");
  const form = usePortalForm({
    id: "new-invite",
    action: href("/dashboard/admin/users/invite"),
    schema: InviteForm,
    labels: {
      email: t("invites.email"),
      role: t("invites.role"),
      org_id: t("invites.organisation"),
      department_id: t("invites.department"),
    },
    values: { role: "member", org_id: String(view.organisationId) },
    refused,
  });
  const named = (list: readonly { id: number; name: string }[]) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <PortalForm form={form} className="grid gap-4">
      <FormStack wide>
        <TextField {...form.field("email")} type="email" autoComplete="off" required />
        <SelectField
          {...form.field("role")}
          hint={t("invites.roleHint")}
          options={view.roles.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
        />
        {view.organisations.length > 0 ? (
          <SelectField {...form.field("org_id")} options={named(view.organisations)} />
        ) : null}
        {view.departments.length > 0 ? (
          <SelectField
            {...form.field("department_id")}
            options={[
              ...(view.needsDepartment ? [] : [{ value: "", label: t("common.none") }]),
              ...named(view.departments),
            ]}
          />
        ) : null}
      </FormStack>
      <FormActions>
        <Button kind="primary">{t("invites.send")}</Button>
      </FormActions>
    </PortalForm>
  );
}

const KINDS: Readonly<Record<InviteView["status"], BadgeKind>> = {
  pending: "info",
  accepted: "good",
  revoked: "plain",
  expired: "held",
};

function InviteTable({ invites, runs }: { invites: readonly InviteView[]; runs: boolean }) {
  const { t } = useTranslation("admin");
  return (
    <DataTable
      name="invites"
      caption={t("invites.table")}
      rows={invites}
      rowKey={(invite) => invite.id}
      select={{ form: BULK, label: ({ email }) => email, allowed: ({ status }) => status === "pending" }}
      columns={[
        { id: "email", header: t("invites.col.email"), cell: (invite) => invite.email },
        { id: "role", header: t("invites.col.role"), cell: (invite) => <RoleBadge role={invite.role} /> },
        {
          id: "place",
          header: t("invites.col.place"),
          cell: (invite) => (invite.department ? `${invite.organisation}, ${invite.department}` : invite.organisation),
        },
        {
          id: "status",
          header: t("invites.col.status"),
          cell: (invite) =>
            invite.status === "pending" && invite.delivery === "operator" ? (
              <Badge kind="held">{t("invites.notMailed")}</Badge>
            ) : (
              <Badge kind={KINDS[invite.status]}>{t(`invites.status.${invite.status}`)}</Badge>
            ),
        },
        {
          id: "revoke",
          header: <Hidden>{t("invites.revoke")}</Hidden>,
          cell: (invite) =>
            invite.status === "pending" ? (
              <div className="flex gap-2">
                {runs ? <RowButton invite={invite} act="link" label={t("invites.newLink")} /> : null}
                <RowButton invite={invite} act="revoke" label={t("invites.revoke")} />
              </div>
            ) : null,
        },
        { id: "by", header: t("invites.col.by"), cell: (invite) => invite.invitedBy ?? "–" },
        {
          id: "expires",
          header: t("invites.col.expires"),
          cell: (invite) => <DateTime at={invite.expiresAt} dateOnly />,
        },
        { id: "created", header: t("invites.col.created"), cell: (invite) => <RelativeTime at={invite.createdAt} /> },
      ]}
      empty={<EmptyState title={t("invites.empty")}>{t("invites.emptyText")}</EmptyState>}
    />
  );
}

const BULK = "invites-bulk";

function InviteBulk() {
  const { t } = useTranslation("ui");
  const revoke = t("list.invites.revoke");
  return (
    <BulkBar
      form={BULK}
      action={href("/dashboard/admin/users/invite/bulk")}
      acts={[
        {
          intent: "revoke",
          label: revoke,
          confirm: revoke,
          consequences: t("list.invites.revokeText"),
          kind: "danger",
        },
      ]}
    />
  );
}

function RowButton({ invite, act: event, label }: { invite: InviteView; act: "link" | "revoke"; label: string }) {
  return (
    <form method="post" action={`/dashboard/admin/users/invite/${invite.id}/${event}`}>
      <Button small aria-label={`${label}: ${invite.email}`}>
        {label}
      </Button>
    </form>
  );
}
