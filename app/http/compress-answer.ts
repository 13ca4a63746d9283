// Own code on purpose: Hono's compress writes no Brotli and does not flush, so that an answer in pieces would wait for
// its end.
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { acceptedCoding, type Coding, isCompressible } from "./accept-encoding";

/** Shorter answers fit a packet anyway. */
const MIN_BYTES = 1_024;
/** An answer that says that it is no longer is compressed and sent as one. */
const WHOLE_AT_MOST_BYTES = 2_097_152;

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
const GZIP_LEVEL = 5;

/**
 * The same answer, compressed as the client likes it. Answers that are compressed already, short ones, event streams and
 * those that ask not to be changed stay as they are. One that says how long it is goes as a whole; of others, what has
 * been written leaves at once, also when they go on later.
 */
export async function compressAnswer(request: Request, response: Response): Promise<Response> {
  if (response.body === null || !mayCompress(response)) return response;
  const headers = new Headers(response.headers);
  headers.append("vary", "Accept-Encoding");
  const coding = acceptedCoding(request.headers.get("accept-encoding"));
  const { status, statusText } = response;
  if (coding === null) return new Response(response.body, { status, statusText, headers });
  headers.set("content-encoding", coding);
  const length = headers.get("content-length");
  headers.delete("content-length");
  // The bytes are other ones for each coding, so the tag can only promise the same meaning.
  const tag = headers.get("etag");
  if (tag && !tag.startsWith("W/")) headers.set("etag", `W/${tag}`);
  if (length === null || Number(length) > WHOLE_AT_MOST_BYTES)
    return new Response(compressed(response.body, coding), { status, statusText, headers });
  const bytes = await compressedWhole(await response.arrayBuffer(), coding);
  headers.set("content-length", String(bytes.byteLength));
  return new Response(bytes, { status, statusText, headers });
}

function mayCompress({ status, headers }: Response): boolean {
  if (status < 200 || status === 204 || status === 206 || status === 304) return false;
  if (headers.has("content-encoding") || /no-transform/i.test(headers.get("cache-control") ?? "")) return false;
  const length = headers.get("content-length");
  return isCompressible(headers.get("content-type")) && (length === null || Number(length) >= MIN_BYTES);
}

const [brotliWhole, gzipWhole] = [promisify(brotliCompress), promisify(gzip)];

const compressedWhole = (body: ArrayBuffer, coding: Coding): Promise<Uint8Array<ArrayBuffer>> =>
  coding === "br"
    ? brotliWhole(body, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength } })
    : gzipWhole(body, { level: GZIP_LEVEL });

function compressed(body: ReadableStream<Uint8Array>, coding: Coding): ReadableStream<Uint8Array> {
  const compressor =
    coding === "br"
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: GZIP_LEVEL });
  // A client that leaves ends the page's own stream as well; there is nobody left to tell of it.
  pipeline(Readable.fromWeb(body as NodeStream), compressor, () => {});
  return Readable.toWeb(compressor) as ReadableStream<Uint8Array>;
}
