import { apiError } from "~/errors/app-error";

/**
 * Reads a request's body piece by piece. Keeps at most `limitBytes` in memory, with or without a Content-Length.
 * @throws AppError request_too_large; invalid_request when the client disconnects early.
 */
export async function bodyBytes(
  request: Request,
  limitBytes: number,
  tooLarge = () => apiError("request_too_large"),
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const read = await reader?.read().catch((cause) => {
      throw brokenOff(cause);
    });
    if (read === undefined || read.done) break;
    size += read.value.length;
    // No cancel, which would close the connection before the response; `discardRest` reads the rest.
    if (size > limitBytes) throw tooLarge();
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

/** The error for an incomplete body. */
export const brokenOff = (cause?: unknown) =>
  apiError("invalid_request", { userMessage: "The request body ended before it was complete.", cause });
