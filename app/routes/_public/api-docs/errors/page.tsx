import { href } from "react-router";
import { CATALOGUE_ENTRIES } from "~/errors/catalogue";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { describePage } from "../../parts/describe-page";
import { readSite } from "../../parts/site.server";
import type { Route } from "./+types/page";
import { CodeList } from "./CodeList";
import { findCodes, type ListedGroup } from "./find-codes.server";
import { HowToRead } from "./HowToRead";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Error codes",
  description: "Every error code of the gateway and the portal, what it means and what to do.",
  path: "/api-docs/errors",
});

export function loader({ request }: Route.LoaderArgs) {
  const words = (new URL(request.url).searchParams.get("q") ?? "").slice(0, 100);
  return { ...readSite(), words, total: CATALOGUE_ENTRIES.length, groups: findCodes(words) };
}

export default function ErrorCodes({ loaderData: { words, total, groups } }: Route.ComponentProps) {
  const shown = groups.reduce((sum, { entries }) => sum + entries.filter((entry) => entry.matches).length, 0);
  return (
    <PublicPage lang="en">
      <h1 className="pt-8 text-7xl leading-tight sm:pt-12 sm:text-8xl">Error codes</h1>
      <p className="mt-3 max-w-[42em] text-xl text-ink-2">
        Every code the gateway and the portal can answer with, grouped by what to do about it. Suppliers’ own codes may
        come besides these and keep their names. For programs there is{" "}
        <a href={href("/error-codes.json")} className="link">
          the same list as JSON
        </a>
        .
      </p>
      <HowToRead />
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
    </PublicPage>
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
