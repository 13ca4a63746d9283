// Own code on purpose: Hono's serveStatic has no entity tags by content and does not compress with Brotli, and takes
// two to five times the processor time.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { acceptedCoding, type Coding, isCompressible } from "./accept-encoding";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "application/xml; charset=utf-8",
};

type File = { bytes: Buffer; etag: string; mediaType: string; coded: Map<Coding, Promise<Buffer>> };

/**
 * Serves the files that are in a folder when this is called: with an entity tag by content, compressed once per coding
 * and cached, and with `nosniff`. Files under `/assets/` have their hash in their name, and browsers cache them
 * permanently. Returns undefined for other paths, and for other methods than GET and HEAD.
 */
export function staticFiles(folder: string): (request: Request) => Promise<Response> | undefined {
  const names = new Set(namesUnder(folder));
  const files = new Map<string, Promise<File>>();
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const name = decoded(new URL(request.url).pathname);
    if (!names.has(name)) return undefined;
    const file = files.get(name) ?? load(folder, name);
    files.set(name, file);
    return file.then(
      (loaded) => answer(request, name, loaded),
      () => {
        // Deleted or unreadable: the next request tries again.
        files.delete(name);
        return new Response(null, { status: 404 });
      },
    );
  };
}

function namesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join("/"))
    .filter((name) => !name.includes("/."));
}

async function load(folder: string, name: string): Promise<File> {
  const bytes = await readFile(join(folder, name));
  const etag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return { bytes, etag, mediaType: MEDIA_TYPES[ending] ?? "application/octet-stream", coded: new Map() };
}

async function answer(request: Request, name: string, file: File): Promise<Response> {
  const { bytes, etag, mediaType } = file;
  const coding = isCompressible(mediaType) ? acceptedCoding(request.headers.get("accept-encoding")) : null;
  const tag = coding === null ? `"${etag}"` : `"${etag}-${coding}"`;
  const headers = new Headers({
    "content-type": mediaType,
    "cache-control": name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    "x-content-type-options": "nosniff",
    // A file that is opened as a page (such as an SVG with a script) must not run anything.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    etag: tag,
  });
  if (isCompressible(mediaType)) headers.set("vary", "Accept-Encoding");
  if (isKnown(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const body = coding === null ? bytes : await codedBytes(file, coding);
  if (coding !== null) headers.set("content-encoding", coding);
  headers.set("content-length", String(body.length));
  return new Response(request.method === "HEAD" ? null : new Uint8Array(body), { headers });
}

const isKnown = (header: string | null, tag: string): boolean =>
  (header ?? "").split(",").some((known) => [tag, "*"].includes(known.trim().replace(/^W\//, "")));

function codedBytes(file: File, coding: Coding): Promise<Buffer> {
  const there = file.coded.get(coding);
  if (there) return there;
  const encoded = coding === "br" ? brotli(file.bytes, BROTLI) : gzipped(file.bytes, { level: 9 });
  file.coded.set(coding, encoded);
  return encoded;
}

const brotli = promisify(brotliCompress);
const gzipped: (bytes: Buffer, options: { level: number }) => Promise<Buffer> = promisify(gzip);
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
