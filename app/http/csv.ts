import { BYTE_ORDER_MARK, type CsvCell, csvLine } from "~/csv";

// Own code on purpose: fifty lines, most of them about pages that are read as the client takes them.

/** A page of lines; the next page is read when the client has taken this one. */
export type CsvPages = AsyncIterator<readonly (readonly CsvCell[])[]>;

/**
 * A file of comma-separated values (RFC 4180), written page by page as the client takes it. The first page is read before
 * the answer begins, so that a problem still gets a status. One for people begins with a byte order mark; to programs it would be a part of
 * the first column's name.
 */
export async function csvResponse(
  file: string | { name: string; isForPrograms: boolean },
  header: readonly string[],
  pages: CsvPages,
): Promise<Response> {
  const { name, isForPrograms } = typeof file === "string" ? { name: file, isForPrograms: false } : file;
  let next: Promise<IteratorResult<readonly (readonly CsvCell[])[]>> = Promise.resolve(await pages.next());
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode((isForPrograms ? "" : BYTE_ORDER_MARK) + csvLine(header))),
    async pull(controller) {
      const { done, value } = await next;
      if (done) return controller.close();
      next = pages.next();
      // A problem is reported by the reading that waits for it, on the next pull.
      next.catch(() => undefined);
      controller.enqueue(encoder.encode(value.map(csvLine).join("")));
    },
    async cancel() {
      await pages.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
