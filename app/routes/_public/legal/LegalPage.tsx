import type { LegalDocument, LegalName } from "~/legal/shared";
import { PublicPage } from "~/ui/shell/PublicPage";
import { Blocks } from "../parts/Blocks";
import { pageHead } from "../parts/describe-page";
import { SideList } from "../parts/SideList";

type Facts = {
  baseUrl: string;
  document: LegalDocument;
  versions: readonly string[];
  others: readonly { name: LegalName; title: string }[];
};

export const legalHead = ({ baseUrl, document }: Facts) =>
  pageHead({ title: document.title, description: document.summary, path: `/legal/${document.name}` }, baseUrl);

/** A legal document: its text, table of contents and versions, and links to the other documents. */
export function LegalPage({ document, versions, others }: Facts) {
  return (
    <PublicPage lang="en">
      <div className="grid gap-x-16 gap-y-8 pt-8 sm:pt-12 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <article className="min-w-0">
          <h1 className="text-7xl sm:text-9xl">{document.title}</h1>
          <p className="mt-3 text-ink-3">
            In force from <time dateTime={document.version}>{longDate(document.version)}</time>
            {document.isCurrent ? "" : ". This is an earlier version"}
          </p>
          {document.isCurrent ? null : (
            <p className="mt-4 rounded-lg border border-held/50 bg-held-soft px-4 py-3">
              A newer version is in force.{" "}
              <a href={`/legal/${document.name}`} className="link">
                Read the current one
              </a>
              .
            </p>
          )}
          <Missing missing={document.missing} />
          <div className="prose mt-8">
            <Blocks blocks={document.blocks} />
          </div>
        </article>
        <aside className="not-printed grid content-start gap-8 lg:sticky lg:top-6 lg:self-start">
          <SideList
            title="On this page"
            links={document.outline.map(({ id, title }) => ({ path: `#${id}`, name: title }))}
          />
          <Versions name={document.name} versions={versions} shown={document.version} />
          <div id="documents">
            <SideList
              title="All documents"
              links={others.map(({ name, title }) => ({
                path: `/legal/${name}`,
                name: title,
                isHere: name === document.name,
              }))}
            />
          </div>
        </aside>
      </div>
    </PublicPage>
  );
}

function Missing({ missing }: { missing: readonly string[] }) {
  if (missing.length === 0) return null;
  return (
    <p className="mt-4 max-w-text rounded-lg border border-held/50 bg-held-soft px-4 py-3">
      The operator of this installation has not filled in {listed(missing)}. Until then this is a template and not an
      agreement with anybody. Operators set the <code className="mono">GW_OPERATOR_…</code> variables.
    </p>
  );
}

function Versions({ name, versions, shown }: { name: LegalName; versions: readonly string[]; shown: string }) {
  return (
    <SideList
      title="Versions"
      links={versions.map((version, position) => ({
        path: position === 0 ? `/legal/${name}` : `/legal/${name}?version=${version}`,
        name: position === 0 ? `${version}, in force` : version,
        isHere: version === shown,
      }))}
    />
  );
}

const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

const longDate = (day: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
