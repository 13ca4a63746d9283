import { href } from "react-router";
import { CAPABILITIES } from "~/domain/catalogue/shared";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { CAPABILITY_NOTES } from "../catalogue-view/shared";
import { shownModels } from "../catalogue-view/shown-models.server";
import { describePage } from "../parts/describe-page";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";
import type { Route } from "./+types/page";
import { filterModels, readFilter } from "./filter";
import { ModelCard } from "./ModelCard";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Models",
  description: "Every model that can be called here: what it can do, where it is served, by whom, and what it costs.",
  path: "/models-public",
});

export function loader({ request }: Route.LoaderArgs) {
  const models = shownModels();
  const filter = readFilter(new URL(request.url).searchParams);
  const regions = [...new Set(models.flatMap((model) => model.regions))].toSorted();
  return { ...readSite(), ...filterModels(models, filter), filter, regions, total: models.length };
}

export default function Models({ loaderData }: Route.ComponentProps) {
  const { models, faults, total, filter, regions } = loaderData;
  const shown = [...models, ...faults].filter(({ matches }) => matches).length;
  return (
    <PublicPage lang="en">
      <PageIntro
        title="Models"
        lead="What can be called on this installation at this moment. One key reaches all of them, unless the key says otherwise."
      />
      <search className="sticky top-0 z-10 mt-8 block border-line border-b bg-bg py-3">
        <form className="form-row flex flex-wrap items-end gap-3">
          <label className="min-w-48 flex-1 sm:max-w-80">
            <span className="sr-only">Search the models</span>
            <input
              type="search"
              name="q"
              defaultValue={filter.q}
              placeholder="Search: a name, an owner"
              className="field"
              data-filter
            />
          </label>
          <Select
            name="capability"
            label="Every capability"
            value={filter.capability}
            options={CAPABILITIES.map((id) => [id, CAPABILITY_NOTES[id].name])}
          />
          <Select
            name="region"
            label="Every region"
            value={filter.region}
            options={regions.map((region) => [region, region])}
          />
          <button type="submit" className="button">
            Show
          </button>
          <p className="ml-auto self-center text-ink-3 tabular-nums" aria-live="polite">
            <span data-filter-count>{shown}</span> of {total}
          </p>
        </form>
      </search>
      <p data-filter-nothing hidden={shown > 0} className="panel mt-6 px-5 py-6 text-ink-2">
        {total === 0
          ? "No model is set up here yet. As soon as the operator names one with a price in the catalogue, it appears here."
          : "No model fits."}{" "}
        {total > 0 ? (
          <a href={href("/models-public")} className="link">
            Show all of them
          </a>
        ) : null}
      </p>
      <section
        data-filter-section
        hidden={!models.some(({ matches }) => matches)}
        className="mt-6 grid gap-4"
        aria-label="Models"
      >
        {models.map(({ model, matches }) => (
          <ModelCard key={model.id} model={model} isShown={matches} />
        ))}
      </section>
      <section
        data-filter-section
        hidden={!faults.some(({ matches }) => matches)}
        className="mt-14"
        aria-labelledby="faults"
      >
        <h2 id="faults" className="text-3xl">
          Faults on purpose
        </h2>
        <p className="mt-1 mb-4 max-w-lead text-ink-2">
          Models of the sandbox that fail, each in its own way. Point your tests at them to see how your application
          copes.
        </p>
        <ul className="panel grid gap-x-6 px-5 py-3 sm:grid-cols-2 lg:grid-cols-3">
          {faults.map(({ model, matches }) => (
            <li key={model.id} id={model.id} hidden={!matches} data-filter-entry className="mono py-1">
              {model.id}
            </li>
          ))}
        </ul>
      </section>
      <ReadNext
        links={[
          ["/pricing#calculator", "Calculator", "What a day of requests costs."],
          ["/guide", "Guide", "From nothing to the first call."],
          ["/guide#regions", "Regions", "How a request stays where it should."],
        ]}
      />
    </PublicPage>
  );
}

type SelectFacts = { name: string; label: string; value: string; options: readonly (readonly [string, string])[] };

function Select({ name, label, value, options }: SelectFacts) {
  return (
    <label>
      <span className="sr-only">{label}</span>
      <select name={name} defaultValue={value} className="field">
        <option value="">{label}</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
