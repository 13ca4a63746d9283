import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { deleteResponse, findResponse } from "~/domain/responses/index.server";
import type { StoredResponse } from "~/domain/responses/shared";
import { apiError } from "~/errors/app-error";
import { isObject } from "../dialects/wire/events/reading";
import { keyEndpoint, ownerOf } from "../key-endpoint";
import { listOf, pageOf } from "../list-page";

/** A stored response: read, or delete permanently. */
export const storedResponse = keyEndpoint({
  async GET({ caller, id, query }) {
    if (query.get("stream") === "true")
      throw apiError("unsupported_parameter", {
        userMessage: "A stored response is read whole. Leave stream out.",
        param: "stream",
      });
    return (await required(ownerOf(caller), id)).response;
  },
  async DELETE({ caller, id }) {
    if (!(await deleteResponse(db(), ownerOf(caller), id))) throw missing();
    return { id, object: "response", deleted: true };
  },
});

/** Only background work can be cancelled, and gw has none: every stored response has ended. */
export const cancelledResponse = keyEndpoint({
  async POST({ caller, id }) {
    await required(ownerOf(caller), id);
    throw apiError("invalid_request", { userMessage: "Only responses that run in the background can be cancelled." });
  },
});

const MAX_PAGE = 100;

/**
 * Lists the input items of a response: newest first unless `order` is `asc`; `after` is the id of the last item seen.
 */
export const inputItems = keyEndpoint({
  async GET({ caller, id, query }) {
    const { input } = await required(ownerOf(caller), id);
    const items = input.map((item, index) => withId(item, id, index));
    const { after, limit, order } = pageOf(query, MAX_PAGE);
    const ordered = order === "asc" ? items : items.toReversed();
    const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1;
    const data = ordered.slice(from, from + limit);
    return listOf(data, from + data.length < ordered.length);
  },
});

/** Adds the id and the type of an item, which clients may omit but every answer must have. */
function withId(item: unknown, responseId: string, index: number): Record<string, unknown> & { id: string } {
  const shown = isObject(item) ? item : {};
  const id = typeof shown.id === "string" ? shown.id : `msg_${responseId.replace(/^resp_/, "")}_in${index}`;
  const content = typeof shown.content === "string" ? [{ type: "input_text", text: shown.content }] : shown.content;
  return { type: "message", ...shown, ...(content === undefined ? {} : { content }), id };
}

async function required(owner: KeyOwner, id: string): Promise<StoredResponse> {
  const stored = id === "" ? null : await findResponse(db(), owner, id);
  if (stored === null) throw missing();
  return stored;
}

/** The same error for an unknown response, an expired one, and one of another owner. */
const missing = () => apiError("not_found", { userMessage: "There is no such stored response." });
