import { isObject } from "../wire/reading";

type Block = Readonly<Record<string, unknown>>;

/** Blocks of the messages dialect as blocks of Converse. `caches`: the model knows points up to which a prompt is kept. */
export function writeConverseBlocks(blocks: readonly Block[], caches: boolean): Block[] {
  const names = new DocumentNames();
  const written = blocks.flatMap((block) => [
    ...writeBlock(block, names),
    ...(caches ? cachePoint(markOf(block)) : []),
  ]);
  // A document is never alone in its turn.
  const isBare =
    written.some(({ document }) => document !== undefined) && !written.some(({ text }) => text !== undefined);
  return isBare ? [...written, { text: "(See the document.)" }] : written;
}

/** A block's mark, or that of a block inside its result, where no point can stand. */
function markOf({ cache_control, content }: Block): unknown {
  const inner = Array.isArray(content) ? (content as readonly Block[]) : [];
  return cache_control ?? inner.findLast((block) => block.cache_control != null)?.cache_control;
}

/** What a mark for the cache becomes: a point behind what it marks. */
export function cachePoint(control: unknown): Block[] {
  if (!isObject(control)) return [];
  return [{ cachePoint: { type: "default", ...(control.ttl === "1h" ? { ttl: "1h" } : {}) } }];
}

function writeBlock(block: Block, names: DocumentNames): Block[] {
  switch (block.type) {
    case "text":
      return [{ text: block.text }];
    case "image":
      return [{ image: writeImage(block.source as Source) }];
    case "document":
      return [{ document: writeDocument(block, names) }];
    case "tool_use":
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
    case "tool_result":
      return [{ toolResult: writeResult(block, names) }];
    case "thinking":
      return [{ reasoningContent: { reasoningText: { text: block.thinking, signature: block.signature } } }];
    case "redacted_thinking":
      return [{ reasoningContent: { redactedContent: block.data } }];
    default:
      return [];
  }
}

type Source = { type: string; media_type: string; data: string };

const writeImage = ({ media_type, data }: Source): Block => ({
  format: media_type.slice("image/".length),
  source: { bytes: data },
});

function writeDocument({ source, title }: Block, names: DocumentNames): Block {
  const { type, media_type, data } = source as Source;
  return {
    format: media_type === "application/pdf" ? "pdf" : "txt",
    name: names.next(typeof title === "string" ? title : "document"),
    source: { bytes: type === "text" ? Buffer.from(data).toString("base64") : data },
  };
}

function writeResult({ tool_use_id, content, is_error }: Block, names: DocumentNames): Block {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as Block[]);
  return {
    toolUseId: tool_use_id,
    content: parts.flatMap((part) => writeBlock(part, names)),
    ...(is_error === true ? { status: "error" } : {}),
  };
}

/** Names of documents: few characters, none twice. */
class DocumentNames {
  readonly #given = new Set<string>();

  next(title: string): string {
    const plain = title
      .replace(/[^a-zA-Z0-9\s()[\]-]/g, "-")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, 150);
    let name = plain === "" ? "document" : plain;
    if (this.#given.has(name)) name = `${name} ${this.#given.size + 1}`;
    this.#given.add(name);
    return name;
  }
}
