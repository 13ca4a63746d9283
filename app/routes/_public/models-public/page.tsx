import { href } from "react-router";
import type { Section } from "~/content/shared";
import { CAPABILITIES } from "~/domain/catalogue/shared";
import type { PageHandle } from "~/ui/page-handle";
import { CAPABILITY_NOTES } from "../catalogue-view/shared";
import { shownModels } from "../catalogue-view/shown-models.server";
import { Blocks } from "../parts/Blocks";
import { ContentFrame, contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";
import { type FilteredModel, filterModels, readFilter } from "./filter";
import { ModelCard } from "./ModelCard";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/models-public");

export function loader({ request, context }: Route.LoaderArgs) {
  const models = shownModels();
  const filter = readFilter(new URL(request.url).searchParams);
  const regions = [...new Set(models.flatMap((model) => model.regions))].toSorted();
  return {
    ...readContentPage("models", context),
    ...filterModels(models, filter),
    filter,
    regions,
    total: models.length,
  };
}

export default function Models({ loaderData }: Route.ComponentProps) {
  const { content, models, faults, total, filter, regions } = loaderData;
  const shown = [...models, ...faults].filter(({ matches }) => matches).length;
  return (
    <ContentFrame content={content}>
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
      {content.sections.map((section) => (
        <Faults key={section.id} section={section} faults={faults} />
      ))}
    </ContentFrame>
  );
}

/** The last section of the page: the models that fail on purpose. */
function Faults({ section: { id, title, blocks }, faults }: { section: Section; faults: readonly FilteredModel[] }) {
  return (
    <section data-filter-section hidden={!faults.some(({ matches }) => matches)} className="mt-14" aria-labelledby={id}>
      <h2 id={id} className="text-3xl">
        {title}
      </h2>
      <div className="mt-1 mb-4 max-w-lead text-ink-2">
        <Blocks blocks={blocks} />
      </div>
      <ul className="panel grid gap-x-6 px-5 py-3 sm:grid-cols-2 lg:grid-cols-3">
        {faults.map(({ model, matches }) => (
          <li key={model.id} id={model.id} hidden={!matches} data-filter-entry className="mono py-1">
            {model.id}
          </li>
        ))}
      </ul>
    </section>
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
