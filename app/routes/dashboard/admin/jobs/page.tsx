import { useTranslation } from "react-i18next";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { Id, orNothing } from "~/http/body/fields";
import { jobProcess, readJobRuns, readJobs } from "~/jobs/index.server";
import { choices, useFilterState } from "~/ui/lists/filters";
import { usePages } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { JobTable, useJobLabels } from "./JobTable";
import { JobName } from "./job-name";
import { RunTable } from "./RunTable";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;
const Query = z.object({ job: orNothing(JobName), after: orNothing(Id) });

export const loader = pageLoader({ allow: "platform_admin", query: Query }, async ({ query }) => {
  const { job = null, after: beforeId = null } = query;
  const [jobs, list] = await Promise.all([readJobs(db()), readJobRuns(db(), { job, beforeId, limit: PAGE_SIZE })]);
  return { jobs, ...list, process: jobProcess() };
});

export default function Jobs({ loaderData: { jobs, runs, nextBeforeId, process } }: Route.ComponentProps) {
  const { t } = useTranslation("jobs");
  const labels = useJobLabels();
  const shared = jobs.filter(({ scope }) => scope === "installation").map(({ name }) => name);
  const nameOf = (job: string) => labels(job).name;
  const filters = useFilterState({
    job: { label: t("runs.filter"), any: t("runs.all"), options: choices(shared, nameOf), text: nameOf },
  });
  const isFiltered = filters.chips.length > 0;
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <Section flush>
        <JobTable jobs={jobs} />
        <p className="border-line border-t px-4 py-2.5 text-ink-3 [overflow-wrap:anywhere]">
          {t("scopeHint", { process })}
        </p>
      </Section>
      <Section flush id="runs" title={t("runs.title")} aside={t("runs.hint")}>
        <div className="px-4 pt-3.5">
          <FilterBar filters={filters} clear="/dashboard/admin/jobs#runs" />
        </div>
        <RunTable
          runs={runs}
          empty={
            <EmptyState title={isFiltered ? t("runs.nothing") : t("runs.empty")}>
              {isFiltered ? t("runs.nothingText") : t("runs.emptyText")}
            </EmptyState>
          }
        />
        <Pager {...usePages(nextBeforeId)} />
      </Section>
    </>
  );
}
