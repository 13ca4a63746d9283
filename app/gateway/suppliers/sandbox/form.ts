import { bad } from "./chat-request";

/** Returns the parts of a multipart form by name. @throws SupplierFailure 400 for anything else. */
export function partsOf(body: Buffer, contentType: string): Map<string, Buffer> {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  if (!boundary) throw bad("the body must be a multipart form");
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`);
  const parts = new Map<string, Buffer>();
  // The first delimiter is at the very beginning, without a line break before it.
  let at = body.indexOf(delimiter.subarray(2));
  while (at >= 0) {
    const headersFrom = at + delimiter.length + (at === 0 ? -2 : 0);
    const headersEnd = body.indexOf("\r\n\r\n", headersFrom);
    const end = body.indexOf(delimiter, headersFrom);
    if (headersEnd < 0 || end < headersEnd) break;
    const name = /\bname="([^"]*)"/i.exec(body.toString("latin1", headersFrom, headersEnd))?.[1];
    if (name !== undefined) parts.set(name, body.subarray(headersEnd + 4, end));
    at = end;
  }
  return parts;
}
