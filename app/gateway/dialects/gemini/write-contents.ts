import type { WireTurn } from "../messages/write-turns";
import { geminiSignature } from "../wire/thoughts/thoughts";

type Block = Readonly<Record<string, unknown>>;
type Source = { type: string; media_type: string; data: string; url: string };

/**
 * Converts turns of the messages dialect to contents. Results contain the name of the called function. `checksSeals`:
 * the model rejects its own calls without their seal, which most clients do not send back.
 */
export function writeGeminiContents(turns: readonly WireTurn[], checksSeals: boolean): object[] {
  const names = new Map<unknown, unknown>();
  return turns.map(({ role, content }) => ({
    role: role === "assistant" ? "model" : "user",
    parts:
      role === "assistant"
        ? modelParts(content, names, checksSeals)
        : content.flatMap((block) => userParts(block, names)),
  }));
}

/** Writes the model's parts. A seal is sent back on the part after its thought, where the supplier sent it. */
function modelParts(content: readonly Block[], names: Map<unknown, unknown>, checksSeals: boolean): object[] {
  let signature: string | null = null;
  let hasCall = false;
  const parts: Record<string, unknown>[] = [];
  for (const block of content) {
    if (block.type === "thinking") {
      signature = geminiSignature(block.signature) ?? signature;
      continue;
    }
    const seal = signature === null ? {} : { thoughtSignature: signature };
    if (block.type === "text") parts.push({ text: block.text, ...seal });
    else if (block.type === "tool_use") {
      names.set(block.id, block.name);
      const first = signature === null && checksSeals && !hasCall ? { thoughtSignature: NO_SEAL } : seal;
      parts.push({ functionCall: { name: block.name, args: block.input }, ...first });
      hasCall = true;
    } else continue;
    signature = null;
  }
  return parts.length === 0 ? [{ text: "" }] : parts;
}

/** The vendor's placeholder for an unknown seal, for the first call of an answer. */
const NO_SEAL = "skip_thought_signature_validator";

function userParts(block: Block, names: ReadonlyMap<unknown, unknown>): object[] {
  if (block.type === "tool_result") return resultParts(block, names);
  return mediaPart(block);
}

function mediaPart(block: Block): object[] {
  if (block.type === "text") return [{ text: block.text }];
  const source = block.source as Source | undefined;
  if (source === undefined) return [];
  if (source.type === "text") return [{ text: source.data }];
  if (source.type === "url")
    return [{ fileData: { mimeType: mimeTypeAt(source.url, block.type), fileUri: source.url } }];
  return [{ inlineData: { mimeType: source.media_type, data: source.data } }];
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  heic: "image/heic",
  pdf: "application/pdf",
};

/** Guesses the media type of a URL from its file extension; by default JPEG for pictures and PDF for documents. */
function mimeTypeAt(url: string, type: unknown): string {
  const ending = /\.(\w{1,5})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? "";
  return MIME_TYPES[ending] ?? (type === "document" ? "application/pdf" : "image/jpeg");
}

/** Writes a result as an object, followed by its pictures and files. */
function resultParts({ tool_use_id, content, is_error }: Block, names: ReadonlyMap<unknown, unknown>): object[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as Block[]);
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text as string] : [])).join("\n");
  const response = is_error === true ? { error: text } : { output: text };
  return [
    { functionResponse: { name: names.get(tool_use_id) ?? "unknown", response } },
    ...blocks.filter(({ type }) => type !== "text").flatMap(mediaPart),
  ];
}
