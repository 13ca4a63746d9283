import { useTranslation } from "react-i18next";
import type { PageHandle } from "~/ui/page-handle";
import { CodeChoice, type Sample } from "../parts/CodeChoice";
import { ContentBlocks } from "../parts/ContentBlocks";
import { ContentFrame, contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { ContentParts } from "../parts/content-parts";
import { SideList } from "../parts/SideList";
import type { Route } from "./+types/page";
import { exampleParts, type ModelsToTry } from "./models-to-try";
import { readModelsToTry } from "./read-models-to-try.server";
import { firstCall } from "./samples/first-call";
import { otherKinds } from "./samples/kinds";
import { autoChoice, budgetKey, regionLock } from "./samples/limits";
import { jsonAnswer, streaming, tools } from "./samples/streams";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/guide");

export const loader = ({ context }: Route.LoaderArgs) => ({
  ...readContentPage("guide", context),
  models: readModelsToTry(),
});

/**
 * The examples by the component names of the Markdown text, which also supplies the labels of tabs that are not product
 * names.
 */
const SAMPLES: Readonly<Record<string, (baseUrl: string, models: ModelsToTry) => Sample[]>> = {
  FirstCall: firstCall,
  Streaming: streaming,
  Tools: tools,
  Json: jsonAnswer,
  Kinds: otherKinds,
  Budget: budgetKey,
  Region: regionLock,
  Auto: autoChoice,
};

export default function Guide({ loaderData: { baseUrl, content, models } }: Route.ComponentProps) {
  const { t } = useTranslation("public");
  return (
    <ContentFrame content={content} parts={partsOf(baseUrl, models)}>
      <div className="mt-10 grid gap-x-16 gap-y-10 lg:grid-cols-side">
        <aside className="lg:sticky lg:top-6 lg:self-start">
          <SideList title={t("onThisPage")} links={content.sections.map(shortLink)} />
        </aside>
        <div className="grid min-w-0 max-w-192 gap-14">
          {content.sections.map(({ id, title, blocks }) => (
            <section key={id} id={id} className="guide-section grid min-w-0 gap-4">
              <h2 className="text-5xl leading-title">
                <a href={`#${id}`}>{title}</a>
              </h2>
              <ContentBlocks id={id} blocks={blocks} />
            </section>
          ))}
        </div>
      </div>
    </ContentFrame>
  );
}

const shortLink = ({ id, title }: { id: string; title: string }) => ({
  path: `#${id}`,
  name: title.replace(/^\d+\. /, ""),
});

function partsOf(baseUrl: string, models: ModelsToTry): ContentParts {
  const choices = Object.entries(SAMPLES).map(([name, samplesOf]) => [
    name,
    ({ title = "", ...names }) => (
      <CodeChoice
        id={`sample-${name.toLowerCase()}`}
        title={title}
        samples={samplesOf(baseUrl, models).map((sample) => ({ ...sample, name: names[sample.name] ?? sample.name }))}
      />
    ),
  ]);
  return { ...exampleParts(baseUrl, models), components: Object.fromEntries(choices) };
}
