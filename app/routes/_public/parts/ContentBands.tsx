import type { Block, Content, Section } from "~/content/shared";
import { Band } from "./Band";
import { Blocks } from "./Blocks";
import { ContentBlocks } from "./ContentBlocks";
import { ContentFrame } from "./ContentFrame";
import { type ContentParts, useContentParts } from "./content-parts";

/** A page with one band per section: the leading text of a section is on the left, the rest on the right. */
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

/** One band: the text before the first other block is on the left. */
export function ContentBand({ section: { id, title, blocks } }: { section: Section }) {
  const { holds = {} } = useContentParts();
  const first = blocks.findIndex((block) => !isText(block));
  const opening = first === -1 ? blocks : blocks.slice(0, first);
  const shown = opening.flatMap((block) =>
    block.kind === "callout" ? (holds[block.name] ? block.blocks : []) : [block],
  );
  return (
    <Band id={id} title={title} text={shown.length > 0 ? <Blocks blocks={shown} /> : undefined}>
      <ContentBlocks id={id} blocks={first === -1 ? [] : blocks.slice(first)} />
    </Band>
  );
}

const isText = ({ kind }: Block) => kind === "paragraph" || kind === "callout";
