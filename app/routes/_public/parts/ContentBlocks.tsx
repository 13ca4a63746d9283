import type { ReactNode } from "react";
import { plainTextOf } from "~/content/plain-text";
import type { Block, Inline } from "~/content/shared";
import { CodeSample } from "~/ui/CodeSample";
import { Blocks, Inlines } from "./Blocks";
import { filled, useContentParts } from "./content-parts";
import { FactList } from "./FactList";

/** Renders the blocks of a page of prose, including its components. `id` prefixes the ids of the examples. */
export function ContentBlocks({ id, blocks }: { id: string; blocks: readonly Block[] }) {
  const { values, components = {}, holds = {} } = useContentParts();
  return blocks.map((block, index): ReactNode => {
    const key = `${id}-${index + 1}`;
    if (block.kind === "component") {
      const component = components[block.name];
      if (component === undefined) throw new Error(`the page has no ${block.name}`);
      return (
        <div key={key} className="min-w-0">
          {component(block.words)}
        </div>
      );
    }
    if (block.kind === "code")
      return <CodeSample key={key} name={block.name} id={`${key}-code`} text={filled(block.text, values)} />;
    if (block.kind === "callout" && block.name in holds)
      return holds[block.name] ? <ContentBlocks key={key} id={key} blocks={block.blocks} /> : null;
    const facts = factsOf(block);
    if (facts !== null) return <FactList key={key} facts={facts.map(shownFact)} />;
    return (
      <div key={key} className="prose !max-w-none min-w-0">
        <Blocks blocks={[block]} />
      </div>
    );
  });
}

export type ProseFact = { name: string; text: readonly Inline[] };

const shownFact = ({ name, text }: ProseFact) => ({ name, text: <Inlines of={text} /> });

/** Returns the facts of a list whose items all begin with bold text; null for any other block. */
export function factsOf(block: Block): ProseFact[] | null {
  if (block.kind !== "list") return null;
  const facts = block.items.map(([only, more]): ProseFact | null => {
    if (only?.kind !== "paragraph" || more !== undefined) return null;
    const [name, ...text] = only.inner;
    return name?.kind === "strong" ? { name: plainTextOf(name.inner), text } : null;
  });
  return facts.every((fact) => fact !== null) ? facts : null;
}
