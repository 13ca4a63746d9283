/** A file that is kept and does not change. `etag` with its quotation marks; `read` answers the bytes from one place to before another. */
type StoredFile = {
  name: string;
  type: string;
  size: number;
  etag: string;
  read: (range: { from: number; to: number }) => AsyncIterator<Uint8Array>;
};

/**
 * A file to download, or the part of it that a request names, so that a download which was cut off goes on where it ended (RFC 9110,
 * one range of bytes). A range of another file than the one that `If-Range` names gets the whole.
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

/** The part of a file of `size` bytes that a `Range` header names; null: the whole, also where it names several parts or makes no sense. */
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
