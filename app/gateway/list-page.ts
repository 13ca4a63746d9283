const PAGE = 20;

/** What of a list is asked for, by the parameters of its kind: `after` is the id of the last one seen. */
export type ListPage = { after: string | null; limit: number; order: "asc" | "desc" };

/** The newest first unless `order` says `asc`; 20 at once unless `limit` says otherwise, `most` at most. */
export const pageOf = (query: URLSearchParams, most: number, usual = PAGE): ListPage => ({
  after: query.get("after"),
  limit: Math.min(Math.max(Number.parseInt(query.get("limit") ?? "", 10) || usual, 1), most),
  order: query.get("order") === "asc" ? "asc" : "desc",
});

/** A page of a list, as clients of this format go on from it. */
export const listOf = (data: readonly { id: string }[], hasMore: boolean) => ({
  object: "list",
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});
