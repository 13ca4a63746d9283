import type { Block, Content, Section } from "~/content/shared";
import { Band } from "./Band";
import { Blocks } from "./Blocks";
import { ContentBlocks } from "./ContentBlocks";
import { ContentFrame } from "./ContentFrame";
import { type ContentParts, useContentParts } from "./content-parts";

/** A page whose sections are bands: what a section says first stands on the left, the rest beside it. */
export function ContentBands({ content, parts }: { content: Content; parts?: ContentParts }) {
  return (
    <ContentFrame content={content} parts={parts}>
      <div className="mt-8">
        <ContentBlocks id="opening" blocks={content.opening} />
      </div>
      {content.sections.map((section) => (
        <ContentBand key={section.id} section={section} />
      ))}
    </ContentFrame>
  );
}

/** One band. A section that is nothing but a component is that component: it has a heading of its own. */
export function ContentBand({ section: { id, title, blocks } }: { section: Section }) {
  const { holds = {} } = useContentParts();
  const first = blocks.findIndex((block) => !isText(block));
  const words = first === -1 ? blocks : blocks.slice(0, first);
  const shown = words.flatMap((block) =>
    block.kind === "callout" ? (holds[block.name] ? block.blocks : []) : [block],
  );
  return (
    <Band id={id} title={title} text={shown.length > 0 ? <Blocks blocks={shown} /> : undefined}>
      <ContentBlocks id={id} blocks={first === -1 ? [] : blocks.slice(first)} />
    </Band>
  );
}

const isText = ({ kind }: Block) => kind === "paragraph" || kind === "callout";
