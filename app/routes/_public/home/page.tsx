import { modelToTry } from "~/domain/routing/index.server";
import type { PageHandle } from "~/ui/page-handle";
import { usualPrice } from "../catalogue-view/shown-models.server";
import { Inlines } from "../parts/Blocks";
import { ContentBand } from "../parts/ContentBands";
import { factsOf } from "../parts/ContentBlocks";
import { Actions, ContentFrame, contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { ContentParts } from "../parts/content-parts";
import type { Route } from "./+types/page";
import { exampleReceipt } from "./example-receipt.server";
import { FirstCall } from "./FirstCall";
import { Receipt } from "./Receipt";
import { Way } from "./Way";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/");

export function loader({ context }: Route.LoaderArgs) {
  const model = modelToTry();
  const price = model === null ? null : usualPrice(model);
  return { ...readContentPage("home", context), model, receipt: price === null ? null : exampleReceipt(price) };
}

export default function Home({ loaderData: { baseUrl, content, model, receipt } }: Route.ComponentProps) {
  const parts: ContentParts = {
    values: { model: model ?? "" },
    holds: {
      nomodel: model === null,
      sandbox: model === "sandbox-chat",
      model: model !== null && model !== "sandbox-chat",
    },
    components: { FirstCall: (words) => <FirstCall baseUrl={baseUrl} model={model} words={words} /> },
  };
  return (
    <ContentFrame content={content} parts={parts} intro={<Hero content={content} receipt={receipt} />}>
      <Promises content={content} />
      {content.sections.map((section) =>
        section.id === "way" ? (
          <Way key={section.id} section={section} />
        ) : (
          <ContentBand key={section.id} section={section} />
        ),
      )}
    </ContentFrame>
  );
}

type HomeContent = Pick<Route.ComponentProps["loaderData"], "content">;

function Hero({ content, receipt }: Pick<Route.ComponentProps["loaderData"], "content" | "receipt">) {
  const receiptBlock = content.opening.find((block) => block.kind === "component" && block.name === "Receipt");
  return (
    <section className="grid items-center gap-12 pt-10 sm:pt-14 lg:grid-cols-[1.02fr_1fr] lg:gap-14">
      <div>
        <h1 className="max-w-[10.4em] text-wrap text-7xl leading-[1.07] tracking-[-0.035em] sm:text-[47px]">
          {content.heading}
        </h1>
        <p className="mt-5 mb-6 max-w-pitch text-xl text-ink-2">
          <Inlines of={content.lead} />
        </p>
        <p className="flex flex-wrap gap-2">
          <Actions actions={content.actions} />
        </p>
      </div>
      {receipt !== null && receiptBlock?.kind === "component" ? (
        <Receipt receipt={receipt} words={receiptBlock.words} />
      ) : null}
    </section>
  );
}

function Promises({ content }: HomeContent) {
  return (
    <ul className="mt-16 grid divide-y divide-line border-line border-y sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      {content.opening
        .flatMap((block) => factsOf(block) ?? [])
        .map(({ name, text }) => (
          <li key={name} className="py-5 sm:px-6">
            <h2 className="text-5xl">{name}</h2>
            <p className="text-ink-2">
              <Inlines of={text} />
            </p>
          </li>
        ))}
    </ul>
  );
}
