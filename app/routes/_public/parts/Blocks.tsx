import { Fragment, type ReactNode } from "react";
import type { Block, Inline } from "~/content/shared";
import { unreachable } from "~/values/unreachable";
import { filled, useContentParts } from "./content-parts";
import { ScrollRegion } from "./ScrollRegion";

/** Renders parsed Markdown as elements. No text is interpreted as HTML. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return numbered(blocks, (block) => <OneBlock block={block} />);
}

function OneBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading": {
      const Heading = block.level === 2 ? "h2" : "h3";
      return (
        <Heading id={block.id}>
          <Inlines of={block.inner} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Inlines of={block.inner} />
        </p>
      );
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List>
          {numbered(block.items, (item) => (
            <li>{itemOf(item)}</li>
          ))}
        </List>
      );
    }
    case "table":
      return <Table head={block.head} rows={block.rows} />;
    case "quote":
      return (
        <blockquote className="border-line-strong border-l-2 pl-4">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "code":
      return <pre className="overflow-x-auto rounded-lg bg-sunken px-4 py-3 font-mono text-sm">{block.text}</pre>;
    case "callout":
      return (
        <div role="note" className="grid gap-2 rounded-lg border border-line-strong bg-sunken px-4 py-3">
          <Blocks blocks={block.blocks} />
        </div>
      );
    case "component":
      throw new Error(`${block.name} has no place here`);
    default:
      return unreachable(block);
  }
}

/** A list item of one paragraph needs no paragraph element. */
function itemOf(blocks: readonly Block[]): ReactNode {
  const [only] = blocks;
  return blocks.length === 1 && only?.kind === "paragraph" ? <Inlines of={only.inner} /> : <Blocks blocks={blocks} />;
}

function Table({ head, rows }: Pick<Extract<Block, { kind: "table" }>, "head" | "rows">) {
  const hasHead = head.some((cell) => cell.length > 0);
  return (
    <ScrollRegion name="Table">
      <table className="data-table min-w-136">
        {hasHead ? (
          <thead>
            <tr>
              {numbered(head, (cell) => (
                <th scope="col">{<Inlines of={cell} />}</th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {numbered(rows, (row) => (
            <tr>
              {numbered(row, (cell) => (
                <td>{<Inlines of={cell} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The inline elements of a block. */
export function Inlines({ of }: { of: readonly Inline[] }) {
  const { values } = useContentParts();
  return numbered(of, (inline) => {
    switch (inline.kind) {
      case "text":
        return filled(inline.text, values);
      case "code":
        return <code className="mono">{filled(inline.text, values)}</code>;
      case "break":
        return <br />;
      case "strong":
        return (
          <strong>
            <Inlines of={inline.inner} />
          </strong>
        );
      case "emphasis":
        return (
          <em>
            <Inlines of={inline.inner} />
          </em>
        );
      case "link":
        return (
          <a href={inline.href} className="link">
            <Inlines of={inline.inner} />
          </a>
        );
    }
  });
}

/** Keys parts by index, because their order never changes. */
function numbered<Part>(parts: readonly Part[], show: (part: Part) => ReactNode): ReactNode {
  const places = parts.map((part, place) => ({ part, place }));
  return places.map(({ part, place }) => <Fragment key={place}>{show(part)}</Fragment>);
}
