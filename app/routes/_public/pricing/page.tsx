import { CAPABILITIES } from "~/domain/catalogue/shared";
import type { PageHandle } from "~/ui/page-handle";
import type { ShownModel } from "../catalogue-view/shared";
import { shownModels, usualPrice } from "../catalogue-view/shown-models.server";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";
import { Calculator } from "./Calculator";
import { calculate } from "./calculate.server";
import { PriceTable } from "./PriceTable";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/pricing");

export function loader({ request, context }: Route.LoaderArgs) {
  const models = shownModels();
  const calculation = calculate(new URL(request.url).searchParams, models, usualPrice);
  return { ...readContentPage("pricing", context), models, calculation };
}

export default function Pricing({ loaderData: { content, models, calculation } }: Route.ComponentProps) {
  const offered = models.filter(({ isFault }) => !isFault);
  return (
    <ContentBands
      content={content}
      parts={{
        holds: { nomodel: offered.length === 0 },
        components: {
          PriceTables: () => <PriceTables models={offered} />,
          Calculator: () => <Calculator calculation={calculation} />,
        },
      }}
    />
  );
}

function PriceTables({ models }: { models: readonly ShownModel[] }) {
  return CAPABILITIES.map((capability) => (
    <PriceTable
      key={capability}
      capability={capability}
      models={models.filter((model) => model.capability === capability)}
    />
  ));
}
