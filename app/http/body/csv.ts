import { BYTE_ORDER_MARK, type CsvCell, csvLine } from "~/values/csv";

// Own code on purpose: fifty lines, most of which read pages at the client's pace.

/** Pages of lines; a page is read when the client has received the previous one. */
export type CsvPages = AsyncIterator<readonly (readonly CsvCell[])[]>;

/**
 * Returns a CSV file (RFC 4180), written page by page at the client's pace. The first page is read before the response
 * begins, so that an error still gets a status. A file for people begins with a byte order mark; programs would read
 * the mark as part of the first column's name.
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
      // The next pull awaits this promise and reports its error.
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
