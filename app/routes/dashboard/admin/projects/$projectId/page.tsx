import { useTranslation } from "react-i18next";
import { refusedFormOf } from "~/access/flash.server";
import { pageAction, type RefusedHere } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast, type Role, type UserStatus } from "~/domain/accounts/shared";
import { type MemberRow, readProject, updateProject } from "~/domain/organisations/index.server";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { Count, DateTime, Money } from "~/ui/Figures";
import { TextArea, TextField } from "~/ui/forms/fields";
import { FormProblem } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { DataTable } from "~/ui/lists/DataTable";
import { Badge, Columns, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";
import { BudgetFields, BudgetState } from "../../BudgetForm";
import { ProjectParams } from "../../fields";
import { Hidden } from "../../Hidden";
import { RoleBadge, StatusBadge } from "../../PersonBadges";
import { MemberForm, ProjectForm } from "../project-form.schema";
import type { Route } from "./+types/page";

export const loader = pageLoader(
  { allow: "department_admin", params: ProjectParams },
  async ({ actor, params, context }) => {
    const refused = refusedFormOf(context, (action) =>
      action.startsWith(`/dashboard/admin/projects/${params.projectId}/`),
    );
    const maySetBudget = atLeast(actor.role, "org_admin");
    return { ...(await readProject(db(), actor, params.projectId)), maySetBudget, refused };
  },
);

export const action = pageAction(
  { allow: "department_admin", params: ProjectParams, body: ProjectForm },
  async ({ actor, params, body }) => {
    await updateProject(db(), actor, params.projectId, body);
    return { to: `/dashboard/admin/projects/${params.projectId}`, toast: "admin:done.projectSaved" };
  },
);

export default function Project({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const { project, members, refused } = view;
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/admin/projects", label: t("projects.back") }}
        title={project.name}
        sub={project.organisation}
        tags={project.archivedAt === null ? null : <Badge kind="held">{t("projects.archived")}</Badge>}
      />
      <Stats>
        <StatCard label={t("projects.col.spent")} value={<Money nano={project.spent} />} />
        <StatCard label={t("projects.col.keys")} value={<Count value={project.keys} />} />
        <StatCard label={t("projects.col.members")} value={<Count value={project.members} />} />
      </Stats>
      <FormProblem text={/\/(?:members|budget)$/.test(refused?.action ?? "") ? null : refused?.message} />
      <Columns>
        <Section title={t("projects.members")} flush>
          <Members projectId={project.id} members={members} />
          <NewMember projectId={project.id} refused={refused} />
        </Section>
        <div>
          <Budget view={view} />
          <Settings view={view} refused={actionData?.form} />
          <Archiving view={view} />
        </div>
      </Columns>
    </>
  );
}

type View = Route.ComponentProps["loaderData"];

function Members({ projectId, members }: { projectId: number; members: readonly MemberRow[] }) {
  const { t } = useTranslation("admin");
  return (
    <>
      <DataTable
        name="members"
        caption={t("projects.members")}
        rows={members}
        rowKey={(member) => member.userId}
        columns={[
          {
            id: "person",
            header: t("people.col.person"),
            cell: (member) => (
              <span className="grid leading-snug">
                <span className="font-strong">{member.name || member.email}</span>
                <span className="text-xs text-ink-3">{member.email}</span>
              </span>
            ),
          },
          { id: "role", header: t("people.col.role"), cell: (member) => <RoleBadge role={member.role as Role} /> },
          {
            id: "status",
            header: t("people.col.status"),
            cell: (member) => <StatusBadge status={member.status as UserStatus} />,
          },
          {
            id: "since",
            header: t("projects.memberSince"),
            align: "end",
            cell: (member) => <DateTime at={member.addedAt} dateOnly />,
          },
          {
            id: "remove",
            header: <Hidden>{t("organisation.remove")}</Hidden>,
            align: "end",
            cell: (member) => (
              <DialogButton
                small
                kind="quiet"
                dialog={removalOf(member)}
                label={t("projects.removeMember", { name: member.email })}
              >
                <span aria-hidden="true" className="max-sm:hidden">
                  ×
                </span>
                <span className="sm:hidden">{t("projects.remove")}</span>
              </DialogButton>
            ),
          },
        ]}
        empty={<EmptyState title={t("projects.membersEmpty")} />}
      />
      {members.map((member) => (
        <RemovalDialog key={member.userId} projectId={projectId} member={member} />
      ))}
    </>
  );
}

const removalOf = (member: MemberRow) => `remove-member-${member.userId}`;

/** States the consequences of a removal before it happens. */
function RemovalDialog({ projectId, member }: { projectId: number; member: MemberRow }) {
  const { t } = useTranslation("admin");
  const name = member.name || member.email;
  return (
    <ConfirmDialog
      id={removalOf(member)}
      title={t("projects.removeTitle", { name })}
      action={`/dashboard/admin/projects/${projectId}/members/${member.userId}/remove`}
      confirm={t("projects.remove")}
      consequences={
        <div className="grid gap-2">
          {member.keys > 0 ? <p>{t("projects.removeKeys", { count: member.keys, name })}</p> : null}
          <p>{t("projects.removeText")}</p>
        </div>
      }
    />
  );
}

function NewMember({ projectId, refused }: { projectId: number; refused: View["refused"] }) {
  const { t } = useTranslation("admin");
  const form = usePortalForm({
    id: "new-member",
    action: `/dashboard/admin/projects/${projectId}/members`,
    schema: MemberForm,
    labels: { email: t("projects.addEmail") },
    refused,
  });
  return (
    <PortalForm form={form} className="grid gap-3 border-line border-t px-4 py-3.5">
      <TextField {...form.field("email")} type="email" autoComplete="off" required />
      <div>
        <Button small>{t("projects.addButton")}</Button>
      </div>
    </PortalForm>
  );
}

function Budget({ view: { project, budget, maySetBudget, refused } }: { view: View }) {
  const { t } = useTranslation("budgets");
  return (
    <Section title={t("part.title")} id="budget">
      <div className="grid gap-4">
        {budget?.limitNanoUsd == null ? (
          <p className="text-ink-2">{t("part.none")}</p>
        ) : (
          <BudgetState budget={budget} />
        )}
        {maySetBudget ? (
          <BudgetFields
            id="project-budget"
            action={`/dashboard/admin/projects/${project.id}/budget`}
            budget={budget}
            refused={refused}
          />
        ) : (
          <p className="text-ink-3">{t("part.adminsOnly")}</p>
        )}
      </div>
    </Section>
  );
}

function Settings({ view, refused }: { view: View; refused?: RefusedHere }) {
  const { t } = useTranslation("admin");
  const { project } = view;
  const form = usePortalForm({
    id: "project",
    action: `/dashboard/admin/projects/${project.id}`,
    schema: ProjectForm,
    labels: { name: t("projects.name"), description: t("projects.description") },
    values: { name: project.name, description: project.description },
    refused,
  });
  return (
    <Section title={t("projects.settings")}>
      <PortalForm form={form} className="grid gap-4">
        <TextField {...form.field("name")} required />
        <TextArea {...form.field("description")} rows={3} maxLength={500} />
        <div>
          <Button>{t("projects.saveButton")}</Button>
        </div>
      </PortalForm>
    </Section>
  );
}

function Archiving({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { project } = view;
  const action = `/dashboard/admin/projects/${project.id}/archive`;
  if (project.archivedAt !== null) {
    return (
      <Section title={t("projects.archivedNote")}>
        <form method="post" action={action}>
          <input type="hidden" name="archived" value="false" />
          <Button>{t("projects.restore")}</Button>
        </form>
      </Section>
    );
  }
  return (
    <Section title={t("projects.archive")}>
      <div className="grid gap-3">
        <p className="text-ink-2">{t("projects.archiveText")}</p>
        <div>
          <DialogButton dialog="archive-project">{t("projects.archive")}</DialogButton>
        </div>
        <ConfirmDialog
          id="archive-project"
          title={t("projects.archive")}
          action={action}
          values={{ archived: "true" }}
          confirm={t("projects.archive")}
          consequences={t("projects.archiveText")}
        />
      </div>
    </Section>
  );
}
