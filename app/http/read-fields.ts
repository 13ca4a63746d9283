import { refusal } from "~/errors/app-error";

const MOST_BYTES = 1_048_576;

/**
 * Reads a browser's form or a JSON object, at most 1 MiB. Files are not part of such forms; of a repeated field the first
 * text counts. An empty body without a type is a form without fields.
 * @throws AppError unsupported_media_type, invalid_json, invalid_request or request_too_large.
 */
export async function readFields(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get("content-type") ?? "";
  const isForm = type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/form-data");
  const isJson = type.startsWith("application/json");
  const bytes = await readBytes(request, MOST_BYTES);
  if (type === "" && bytes.length === 0) return {};
  if (!isForm && !isJson) throw refusal("unsupported_media_type");
  return isJson ? jsonObject(bytes) : formFields(bytes, type);
}

async function formFields(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch((cause) => {
    throw refusal("invalid_request", { cause });
  });
  return Object.fromEntries([...form.keys()].map((name) => [name, form.get(name)]));
}

function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw refusal("invalid_json", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw refusal("invalid_request");
  return body as Record<string, unknown>;
}

/** Stops as soon as the limit is passed, however the body is sent. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw refusal("request_too_large");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const read = await reader?.read().catch((cause) => {
      throw refusal("invalid_request", { human: "The request body ended before it was complete.", cause });
    });
    if (read === undefined || read.done) break;
    size += read.value.length;
    if (size > limit) {
      await reader?.cancel().catch(() => undefined);
      throw refusal("request_too_large");
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
