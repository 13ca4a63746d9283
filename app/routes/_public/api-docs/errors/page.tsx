import { CATALOGUE_ENTRIES } from "~/errors/catalogue";
import type { PageHandle } from "~/ui/page-handle";
import { ContentBlocks } from "../../parts/ContentBlocks";
import { ContentFrame, contentHead } from "../../parts/ContentFrame";
import { readContentPage } from "../../parts/content-page.server";
import type { Route } from "./+types/page";
import { CodeList } from "./CodeList";
import { findCodes, type ListedGroup } from "./find-codes.server";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/api-docs/errors");

export function loader({ request, context }: Route.LoaderArgs) {
  const search = (new URL(request.url).searchParams.get("q") ?? "").slice(0, 100);
  return {
    ...readContentPage("errors", context),
    words: search,
    total: CATALOGUE_ENTRIES.length,
    groups: findCodes(search),
  };
}

export default function ErrorCodes({ loaderData: { content, words, total, groups } }: Route.ComponentProps) {
  const shown = groups.reduce((sum, { entries }) => sum + entries.filter((entry) => entry.matches).length, 0);
  return (
    <ContentFrame content={content}>
      <div className="mt-8 grid items-start gap-6 lg:grid-cols-2">
        <ContentBlocks id="opening" blocks={content.opening} />
      </div>
      <GroupLinks groups={groups} />
      <search className="sticky top-0 z-10 mt-5 block border-line border-b bg-bg py-3">
        <form className="flex items-center gap-4">
          <label className="min-w-0 flex-1 sm:max-w-form">
            <span className="sr-only">Search the codes</span>
            <input
              type="search"
              name="q"
              defaultValue={words}
              placeholder="Search: 429, budget, invalid_api_key"
              autoComplete="off"
              spellCheck={false}
              data-filter
              className="field"
            />
          </label>
          <button type="submit" className="button without-script">
            Search
          </button>
          <p aria-live="polite" className="shrink-0 text-ui text-ink-3 tabular-nums">
            <span data-filter-count>{shown}</span> of {total}
          </p>
        </form>
      </search>
      {groups.map((group) => (
        <CodeList key={group.id} group={group} />
      ))}
      <p data-filter-nothing hidden={shown > 0} className="pt-12 text-xl text-ink-2">
        No code fits these words. Try a part of the code, a status or a word of the message.
      </p>
    </ContentFrame>
  );
}

function GroupLinks({ groups }: { groups: readonly ListedGroup[] }) {
  return (
    <nav aria-label="Groups of codes" className="mt-9 flex flex-wrap gap-2 text-ui">
      {groups.map(({ id, title, entries }) => (
        <a
          key={id}
          href={`#group-${id}`}
          className="rounded-full border border-line-strong bg-surface px-3 py-1 hover:bg-sunken"
        >
          {title} <span className="text-ink-3 tabular-nums">{entries.length}</span>
        </a>
      ))}
    </nav>
  );
}
