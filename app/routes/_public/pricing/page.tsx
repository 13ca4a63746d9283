import { CAPABILITIES } from "~/domain/catalogue/shared";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { shownModels, usualPrice } from "../catalogue-view/shown-models.server";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { FactList } from "../parts/FactList";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";
import type { Route } from "./+types/page";
import { Calculator } from "./Calculator";
import { calculate } from "./calculate.server";
import { PriceTable } from "./PriceTable";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Pricing",
  description: "What each model costs here, by token, request, second or character, with a calculator. No fees on top.",
  path: "/pricing",
});

export function loader({ request }: Route.LoaderArgs) {
  const models = shownModels();
  return { ...readSite(), models, calculation: calculate(new URL(request.url).searchParams, models, usualPrice) };
}

export default function Pricing({ loaderData: { models, calculation } }: Route.ComponentProps) {
  const offered = models.filter(({ isFault }) => !isFault);
  return (
    <PublicPage lang="en">
      <PageIntro
        title="You pay for what a request used. To the nano-dollar."
        lead="These are the prices in force on this installation at this moment, read from the same catalogue that the gateway charges by. They are US dollars. There is no subscription, no seat and no fee on top of them."
      >
        <a href="#calculator" className="button button-primary">
          Calculate a bill
        </a>
        <a href="/models-public" className="button">
          Look at the models
        </a>
      </PageIntro>
      {offered.length === 0 ? <Nothing /> : null}
      {CAPABILITIES.map((capability) => (
        <PriceTable
          key={capability}
          capability={capability}
          models={offered.filter((model) => model.capability === capability)}
        />
      ))}
      <Calculator calculation={calculation} />
      <Band
        title="How a request is charged"
        text={
          <p>
            Held first, charged after, and rounded once. The{" "}
            <a href="/legal/billing" className="link">
              billing terms
            </a>{" "}
            say it in full.
          </p>
        }
      >
        <FactList facts={RULES} />
      </Band>
      <ReadNext
        links={[
          ["/models-public", "Models", "Capabilities, regions and suppliers of each."],
          ["/architecture", "The way of the money", "From the hold to the ledger, as a picture."],
          ["/legal/refund", "Refunds", "What is never charged, and what comes back."],
        ]}
      />
    </PublicPage>
  );
}

function Nothing() {
  return (
    <p className="panel mt-10 px-5 py-6 text-ink-2">
      No model is set up here yet. As soon as the operator names one with a price in the catalogue, it appears on this
      page.
    </p>
  );
}

const RULES = [
  {
    name: "The price of the moment",
    text: "A request keeps the price that was in force when it was admitted, also if the price changes while it runs.",
  },
  {
    name: "Cached tokens at their own price",
    text: "Input that a supplier reads from its cache, or writes to it, is charged apart, each token once.",
  },
  {
    name: "Refused is free",
    text: "What is refused before it reaches a supplier costs nothing. So does a request that delivered nothing and reported nothing.",
  },
  {
    name: "A broken stream costs what was delivered",
    text: "What the supplier reports is charged; where it reports nothing, the tokens that reached you, marked as an estimate.",
  },
  {
    name: "One rounding",
    text: "Everything a request used is added up exactly and rounded once, up to a whole billionth of a dollar.",
  },
  {
    name: "Failover keeps its own price",
    text: "You pay the price of the route that answered. Where routes differ, the tables above show the range.",
  },
];
