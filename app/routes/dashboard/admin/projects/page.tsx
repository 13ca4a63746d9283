import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { z } from "zod";
import { pageAction, type RefusedHere } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { isHelpShown } from "~/domain/accounts/index.server";
import { createProject, listProjects, type ProjectRow } from "~/domain/organisations/index.server";
import { listChoices } from "~/domain/people/index.server";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { Dialog, DialogButton } from "~/ui/Dialog";
import { Count, DateTime, Money } from "~/ui/Figures";
import { SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { useIsReturned, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { defineFilters, useFilters } from "~/ui/lists/filters";
import { usePages } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { HelpPanel } from "../../HelpPanel";
import type { Route } from "./+types/page";
import { NewProjectForm } from "./project-form.schema";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;
const PROJECT_FILTERS = defineFilters({
  texts: "admin",
  query: { q: orNothing(SearchText), state: orNothing(z.enum(["active", "archived", "all"])) },
  fields: (t) => ({
    q: { label: t("projects.searchHint"), chip: t("projects.col.name"), wide: true },
    state: {
      label: t("projects.state"),
      any: t("projects.active"),
      options: [
        ["archived", t("projects.archived")],
        ["all", t("projects.everything")],
      ],
      text: (value) => t(value === "all" ? "projects.everything" : "projects.archived"),
    },
  }),
});
const Query = z.object({ ...PROJECT_FILTERS.query, after: orNothing(Id) });

export const loader = pageLoader({ allow: "department_admin", query: Query }, async ({ actor, query }) => {
  const { q, state = "active", after } = query;
  const [list, { organisations }, isHelpVisible] = await Promise.all([
    listProjects(db(), actor, { q: q || null, state, beforeId: after ?? null, limit: PAGE_SIZE }),
    listChoices(db(), { ...actor, adminOrganisationId: null }, null),
    isHelpShown(db(), actor, "projects"),
  ]);
  return { ...list, isHelpVisible, organisations, organisationId: actor.adminOrganisationId ?? actor.organisationId };
});

export const action = pageAction({ allow: "department_admin", body: NewProjectForm }, async ({ actor, body }) => {
  const { name, description, org_id: organisationId } = body;
  const { id } = await createProject(db(), actor, { name, description, organisationId });
  return { to: `/dashboard/admin/projects/${id}`, toast: "admin:done.projectCreated" };
});

export default function Projects({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  // A rejected or restored form is shown on the page instead of in a dialog.
  const isOpen = useIsReturned(href("/dashboard/admin/projects")) || actionData !== undefined;
  const columns = useColumns(view.organisations.length > 0);
  const filters = useFilters(PROJECT_FILTERS, view);
  const create = (
    <DialogButton dialog="new-project" kind="primary">
      {t("projects.create")}
    </DialogButton>
  );
  return (
    <>
      <PageHeader title={t("projects.title")} sub={t("projects.subtitle")} actions={create} />
      <HelpPanel action={href("/dashboard/projects/help")} shown={view.isHelpVisible} title={t("projects.help.title")}>
        <p>{t("projects.help.text")}</p>
      </HelpPanel>
      <FilterBar filters={filters} clear="/dashboard/admin/projects" />
      {isOpen ? (
        <Section title={t("projects.create")}>
          <NewProject view={view} refused={actionData?.form} />
        </Section>
      ) : null}
      <Section flush>
        <DataTable
          name="projects"
          caption={t("projects.table")}
          columns={columns}
          rows={view.projects}
          rowKey={(project) => project.id}
          empty={
            filters.chips.length > 0 ? (
              <EmptyState title={t("projects.nothing")}>{t("projects.nothingText")}</EmptyState>
            ) : (
              <EmptyState title={t("projects.empty")} action={create}>
                {t("projects.emptyText")}
              </EmptyState>
            )
          }
        />
        <Pager {...usePages(view.nextBeforeId)} />
      </Section>
      <Dialog id="new-project" title={t("projects.create")}>
        {isOpen ? null : <NewProject view={view} />}
      </Dialog>
    </>
  );
}

function useColumns(everywhere: boolean): Column<ProjectRow>[] {
  const { t } = useTranslation("admin");
  return [
    {
      id: "name",
      header: t("projects.col.name"),
      cell: (project) => (
        <Link to={`/dashboard/admin/projects/${project.id}`} className="grid leading-snug hover:text-accent">
          <span className="flex items-center gap-2 font-strong">
            {project.name}
            {project.archivedAt === null ? null : <Badge>{t("projects.archived")}</Badge>}
          </span>
          {project.description ? (
            <span className="max-w-80 truncate text-xs text-ink-3">{project.description}</span>
          ) : null}
        </Link>
      ),
    },
    ...(everywhere
      ? [
          {
            id: "organisation",
            header: t("projects.col.organisation"),
            cell: (project: ProjectRow) => project.organisation,
          },
        ]
      : []),
    {
      id: "members",
      header: t("projects.col.members"),
      align: "end",
      cell: ({ members }) => <Count value={members} />,
    },
    { id: "keys", header: t("projects.col.keys"), align: "end", cell: ({ keys }) => <Count value={keys} /> },
    { id: "spent", header: t("projects.col.spent"), align: "end", cell: ({ spent }) => <Money nano={spent} /> },
    { id: "by", header: t("projects.col.by"), cell: ({ createdBy }) => createdBy ?? "–" },
    {
      id: "created",
      header: t("projects.col.created"),
      align: "end",
      cell: ({ createdAt }) => <DateTime at={createdAt} dateOnly />,
    },
  ];
}

type View = Route.ComponentProps["loaderData"];

function NewProject({ view, refused }: { view: View; refused?: RefusedHere }) {
  const { t } = useTranslation("admin");
  const form = usePortalForm({
    id: "project",
    action: href("/dashboard/admin/projects"),
    schema: NewProjectForm,
    labels: { name: t("projects.name"), description: t("projects.description"), org_id: t("projects.organisation") },
    values: { org_id: String(view.organisationId) },
    refused,
  });
  return (
    <PortalForm form={form} className="grid gap-4">
      <TextField {...form.field("name")} required />
      <TextArea {...form.field("description")} rows={3} maxLength={500} />
      {view.organisations.length > 0 ? (
        <SelectField
          {...form.field("org_id")}
          options={view.organisations.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      ) : null}
      <div className="flex justify-end">
        <Button kind="primary">{t("projects.createButton")}</Button>
      </div>
    </PortalForm>
  );
}
