// Own code on purpose: Hono's compress has no Brotli and does not flush, which would delay a streamed response until
// its end.
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { acceptedCoding, type Coding, isCompressible } from "./accept-encoding";

/** Minimum size to compress; shorter responses fit into one packet anyway. */
const MIN_BYTES = 1_024;
/** Maximum Content-Length of a response that is compressed as a whole; longer ones are streamed. */
const WHOLE_AT_MOST_BYTES = 2_097_152;

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
const GZIP_LEVEL = 5;

/**
 * Compresses a response with the coding that the client prefers. Leaves unchanged: compressed and short responses,
 * event streams, and responses with `no-transform`. A response with a known length is compressed as a whole; a streamed
 * one is flushed after every piece.
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
  // Each coding has other bytes, so the entity tag must be weak.
  const tag = headers.get("etag");
  if (tag && !tag.startsWith("W/")) headers.set("etag", `W/${tag}`);
  if (length === null || Number(length) > WHOLE_AT_MOST_BYTES)
    return new Response(compressed(response.body, coding), { status, statusText, headers });
  const bytes = await compressBuffer(await response.arrayBuffer(), coding);
  headers.set("content-length", String(bytes.byteLength));
  return new Response(bytes, { status, statusText, headers });
}

function mayCompress({ status, headers }: Response): boolean {
  if (status < 200 || status === 204 || status === 206 || status === 304) return false;
  if (headers.has("content-encoding") || /no-transform/i.test(headers.get("cache-control") ?? "")) return false;
  const length = headers.get("content-length");
  return isCompressible(headers.get("content-type")) && (length === null || Number(length) >= MIN_BYTES);
}

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)];

const compressBuffer = (body: ArrayBuffer, coding: Coding): Promise<Uint8Array<ArrayBuffer>> =>
  coding === "br"
    ? compressBrotli(body, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength } })
    : compressGzip(body, { level: GZIP_LEVEL });

function compressed(body: ReadableStream<Uint8Array>, coding: Coding): ReadableStream<Uint8Array> {
  const compressor =
    coding === "br"
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: GZIP_LEVEL });
  // A client disconnect also ends the page's own stream; the error has no recipient.
  pipeline(Readable.fromWeb(body as NodeStream), compressor, () => {});
  return Readable.toWeb(compressor) as ReadableStream<Uint8Array>;
}
