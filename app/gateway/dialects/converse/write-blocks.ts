import type { ModelProfile } from "~/domain/catalogue/profiles";
import { RESULT_BELOW, resultHeading } from "../chat/write-messages";
import { marksContent } from "../wire/cache-marks";
import { isObject } from "../wire/events/reading";

type Block = Readonly<Record<string, unknown>>;

/**
 * Converts blocks of the messages dialect to Converse, with cache points and pictures of results by the model's rules.
 */
export function writeConverseBlocks(
  blocks: readonly Block[],
  rules: Pick<ModelProfile, "cachePoints" | "cachesForAnHour" | "resultPictures">,
): Block[] {
  const names = new DocumentNames();
  const placed = rules.resultPictures === "inside" ? blocks : mediaAfter(blocks);
  const written = placed.flatMap((block) => [
    ...writeBlock(block, names),
    ...(marksContent(rules) ? cachePoint(markOf(block), rules) : []),
  ]);
  // A turn with a document requires a text.
  const isBare =
    written.some(({ document }) => document !== undefined) && !written.some(({ text }) => text !== undefined);
  return isBare ? [...written, { text: "(See the document.)" }] : written;
}

/** Moves pictures and documents of results after all results, each group with a heading. */
function mediaAfter(blocks: readonly Block[]): readonly Block[] {
  const media: Block[] = [];
  const results = blocks.map((block) => {
    if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
    const content = block.content as readonly Block[];
    const texts = content.filter(({ type }) => type === "text");
    if (texts.length === content.length) return block;
    media.push({ type: "text", text: resultHeading(block.tool_use_id as string) });
    media.push(...content.filter(({ type }) => type !== "text"));
    return { ...block, content: texts.length === 0 ? RESULT_BELOW : texts };
  });
  if (media.length === 0) return blocks;
  const afterResults = results.findLastIndex(({ type }) => type === "tool_result") + 1;
  return [...results.slice(0, afterResults), ...media, ...results.slice(afterResults)];
}

/** Returns a block's cache mark, or that of a block inside a result, where no cache point is possible. */
function markOf({ cache_control, content }: Block): unknown {
  const inner = Array.isArray(content) ? (content as readonly Block[]) : [];
  return cache_control ?? inner.findLast((block) => block.cache_control != null)?.cache_control;
}

/** Converts a cache mark to a cache point, which is placed after the marked block. */
export function cachePoint(control: unknown, { cachesForAnHour }: Pick<ModelProfile, "cachesForAnHour">): Block[] {
  if (!isObject(control)) return [];
  return [{ cachePoint: { type: "default", ...(control.ttl === "1h" && cachesForAnHour ? { ttl: "1h" } : {}) } }];
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

/** Unique names of documents with the characters that Converse allows. */
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
