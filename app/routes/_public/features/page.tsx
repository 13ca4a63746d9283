import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { FactList } from "../parts/FactList";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";
import { FEATURES } from "./features";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Features",
  description:
    "Two API styles, failover, regions, budgets that cannot be overspent, a ledger, and a portal for people.",
  path: "/features",
});

export const loader = readSite;

export default function Features() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="What gw does, without adjectives"
        lead="A gateway that speaks the APIs you already use, and a portal where people hand out keys, set limits and see where the money went."
      >
        <a href="/guide" className="button button-primary">
          Try it in five minutes
        </a>
        <a href="/controls" className="button">
          See how each rule is tested
        </a>
      </PageIntro>
      {FEATURES.map(({ id, title, text, facts }) => (
        <Band key={id} id={id} title={title} text={<p>{text}</p>}>
          <FactList facts={facts} />
        </Band>
      ))}
      <ReadNext
        links={[
          ["/platform", "Platform", "The parts, and how they belong together."],
          ["/pricing", "Pricing", "What each model costs here."],
          ["/guide", "Guide", "From nothing to production."],
        ]}
      />
    </PublicPage>
  );
}
