/**
 * A stored file that does not change. `etag` includes its quotation marks; `read` returns the bytes of a range, its end
 * excluded.
 */
type StoredFile = {
  name: string;
  type: string;
  size: number;
  etag: string;
  read: (range: { from: number; to: number }) => AsyncIterator<Uint8Array>;
};

/**
 * Returns a file to download, or the requested byte range, so that an interrupted download can resume (RFC 9110, one
 * range). Returns the whole file when `If-Range` names another version of it.
 */
export function fileResponse(request: Request, { name, type, size, etag, read }: StoredFile): Response {
  const headers = new Headers({
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "accept-ranges": "bytes",
    etag,
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  });
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const ifRange = request.headers.get("if-range");
  const range = ifRange === null || ifRange === etag ? rangeOf(request.headers.get("range"), size) : null;
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${size}`);
    headers.delete("content-type");
    return new Response(null, { status: 416, headers });
  }
  const { from, to } = range ?? { from: 0, to: size };
  if (range !== null) headers.set("content-range", `bytes ${from}-${to - 1}/${size}`);
  headers.set("content-length", String(to - from));
  return new Response(streamOf(read({ from, to })), { status: range === null ? 200 : 206, headers });
}

/**
 * Returns the byte range that a `Range` header requests of `size` bytes; null: the whole file, also for several ranges
 * or a malformed header.
 */
export function rangeOf(header: string | null, size: number): { from: number; to: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "")
    return last === "0" || size === 0 ? "unsatisfiable" : { from: Math.max(size - Number(last), 0), to: size };
  const from = Number(first);
  if (last !== "" && Number(last) < from) return null;
  if (from >= size) return "unsatisfiable";
  return { from, to: last === "" ? size : Math.min(Number(last) + 1, size) };
}

function streamOf(pieces: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
