import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { describePage } from "../parts/describe-page";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { SideList } from "../parts/SideList";
import { readSite } from "../parts/site.server";
import type { Route } from "./+types/page";
import { Beginning } from "./Beginning";
import { Limits } from "./Limits";
import { MoreKinds } from "./MoreKinds";
import { Production } from "./Production";
import { readModelsToTry } from "./read-models-to-try.server";
import { Streams } from "./Streams";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Guide",
  description:
    "From nothing to the first call, then streams, tools, budgets, regions and errors, with examples to paste.",
  path: "/guide",
});

export const loader = () => ({ ...readSite(), models: readModelsToTry() });

const CONTENTS = [
  ["#key", "Get a key"],
  ["#first-call", "The first call"],
  ["#receipt", "Read the receipt"],
  ["#streaming", "Stream"],
  ["#tools", "Let it call tools"],
  ["#json", "Get JSON"],
  ["#kinds", "Vectors, ranks, sound"],
  ["#budgets", "Give a key a budget"],
  ["#regions", "Stay in a region"],
  ["#sessions", "Sessions and failover"],
  ["#auto", "Let gw choose the model"],
  ["#errors", "Handle errors"],
  ["#production", "Go to production"],
] as const;

export default function Guide({ loaderData: { baseUrl, models } }: Route.ComponentProps) {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="From nothing to production, in the order you need it"
        lead={
          <>
            Every example uses the address of this installation, <code className="mono">{baseUrl}</code>, and works when
            pasted. Put your key into the variable <code className="mono">GW_KEY</code> first.
          </>
        }
      />
      <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-side">
        <aside className="lg:sticky lg:top-6 lg:self-start">
          <SideList title="In this guide" links={CONTENTS.map(([path, name]) => ({ path, name }))} />
        </aside>
        <div className="grid min-w-0 max-w-192 gap-14">
          <Beginning baseUrl={baseUrl} models={models} />
          <Streams baseUrl={baseUrl} models={models} />
          <MoreKinds baseUrl={baseUrl} models={models} />
          <Limits baseUrl={baseUrl} models={models} />
          <Production baseUrl={baseUrl} models={models} />
        </div>
      </div>
      <ReadNext
        links={[
          ["/api-docs", "API reference", "Every operation with its fields."],
          ["/agents", "Coding agents", "Point the agent in your terminal at gw."],
          ["/api-docs/errors", "Error codes", "What each one means, and what to do."],
        ]}
      />
    </PublicPage>
  );
}
