const PAGE = 20;

/** Page of a list, in the query parameters of this format: `after` is the id of the last item seen. */
export type ListPage = { after: string | null; limit: number; order: "asc" | "desc" };

/** Reads the page from the query: newest first unless `order` is `asc`; `usual` items by default and `limit` at most. */
export const pageOf = (query: URLSearchParams, limit: number, usual = PAGE): ListPage => ({
  after: query.get("after"),
  limit: Math.min(Math.max(Number.parseInt(query.get("limit") ?? "", 10) || usual, 1), limit),
  order: query.get("order") === "asc" ? "asc" : "desc",
});

/** Returns a page of a list with the cursors that clients of this format expect. */
export const listOf = (data: readonly { id: string }[], hasMore: boolean) => ({
  object: "list",
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});
