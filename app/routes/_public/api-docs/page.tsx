import { href } from "react-router";
import type { PageHandle } from "~/ui/page-handle";
import { ContentBlocks } from "../parts/ContentBlocks";
import { ContentFrame, contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import { SideList } from "../parts/SideList";
import { serviceDescription } from "../service-description.server";
import type { Route } from "./+types/page";
import { OperationRow } from "./OperationRow";
import { readReference } from "./read-reference.server";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/api-docs");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { document } = await serviceDescription();
  const reference = readReference(document, new URL(request.url).searchParams.get("q") ?? "");
  return { ...reference, ...readContentPage("reference", context) };
}

export default function ApiReference({ loaderData }: Route.ComponentProps) {
  const { baseUrl, content, words, sections, total, shown } = loaderData;
  return (
    <ContentFrame content={content} parts={{ values: { baseUrl } }}>
      <div className="mt-8 grid gap-x-12 gap-y-6 lg:grid-cols-side">
        <aside className="lg:sticky lg:top-6 lg:self-start">
          <SideList
            title="Areas"
            links={[
              ...sections.map(({ id, title }) => ({ path: `#${id}`, name: title })),
              { path: "/api-docs/errors", name: "Error codes" },
            ]}
          />
        </aside>
        <div className="min-w-0">
          <ContentBlocks id="opening" blocks={content.opening} />
          <search className="sticky top-0 z-10 mt-6 block border-line border-b bg-bg py-3">
            <form className="flex items-center gap-4">
              <label className="min-w-0 flex-1">
                <span className="sr-only">Search the operations</span>
                <input
                  type="search"
                  name="q"
                  defaultValue={words}
                  placeholder="Search: keys, POST, /v1/messages"
                  className="field"
                  data-filter
                />
              </label>
              <button type="submit" className="button without-script">
                Search
              </button>
              <p className="text-ink-3 tabular-nums" aria-live="polite">
                <span data-filter-count>{shown}</span> of {total}
              </p>
            </form>
          </search>
          <p data-filter-nothing hidden={shown > 0} className="panel mt-6 px-5 py-6 text-ink-2">
            No operation fits these words.{" "}
            <a href={href("/api-docs")} className="link">
              Show all of them
            </a>
          </p>
          {sections.map(({ id, title, description, operations }) => (
            <section
              key={id}
              id={id}
              data-filter-section
              hidden={!operations.some(({ matches }) => matches)}
              className="scroll-mt-16 pt-10"
              aria-labelledby={`${id}-title`}
            >
              <h2 id={`${id}-title`} className="text-4xl">
                {title} <span className="font-normal text-ink-3 tabular-nums">{operations.length}</span>
              </h2>
              <p className="mt-1 mb-4 text-ink-2">{description}</p>
              <div className="panel divide-y divide-line overflow-hidden">
                {operations.map((operation) => (
                  <OperationRow key={operation.id} operation={operation} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </ContentFrame>
  );
}
