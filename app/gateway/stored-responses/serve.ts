import { db } from "~/db.server";
import { deleteResponse, findResponse } from "~/domain/responses/index.server";
import type { ResponseOwner, StoredResponse } from "~/domain/responses/shared";
import { apiError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { declared, type HttpMethod } from "~/http/declaration";
import { allowOrigin } from "../allow-origin";
import { authenticate } from "../authenticate";
import { newCallId } from "../call-id";
import { isObject } from "../dialects/wire/reading";
import { ownerOf } from "./owner";

type Asked = { owner: ResponseOwner; id: string; query: URLSearchParams };
type Answers = Partial<Record<HttpMethod, (asked: Asked) => Promise<unknown>>>;

/** A stored response: read, or deleted for good. */
export const storedResponse = endpoint({
  async GET({ owner, id, query }) {
    if (query.get("stream") === "true")
      throw apiError("unsupported_parameter", {
        userMessage: "A stored response is read whole. Leave stream out.",
        param: "stream",
      });
    return (await required(owner, id)).response;
  },
  async DELETE({ owner, id }) {
    if (!(await deleteResponse(db(), owner, id))) throw missing();
    return { id, object: "response", deleted: true };
  },
});

/** Only work in the background can be cancelled, and there is none here: what is stored has ended. */
export const cancelledResponse = endpoint({
  async POST({ owner, id }) {
    await required(owner, id);
    throw apiError("invalid_request", { userMessage: "Only responses that run in the background can be cancelled." });
  },
});

const PAGE = 20;
const MAX_PAGE = 100;

/** What was asked, item by item: the newest first unless `order` says `asc`; `after` is the id of the last one seen. */
export const inputItems = endpoint({
  async GET({ owner, id, query }) {
    const { input } = await required(owner, id);
    const items = input.map((item, index) => withId(item, id, index));
    const ordered = query.get("order") === "asc" ? items : items.toReversed();
    const after = query.get("after");
    const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1;
    const limit = Math.min(Math.max(Number.parseInt(query.get("limit") ?? "", 10) || PAGE, 1), MAX_PAGE);
    const data = ordered.slice(from, from + limit);
    return {
      object: "list",
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: from + data.length < ordered.length,
    };
  },
});

/** Clients may leave out the id and the kind of a message, which are always told. */
function withId(item: unknown, responseId: string, index: number): Record<string, unknown> & { id: string } {
  const told = isObject(item) ? item : {};
  const id = typeof told.id === "string" ? told.id : `msg_${responseId.replace(/^resp_/, "")}_in${index}`;
  const content = typeof told.content === "string" ? [{ type: "input_text", text: told.content }] : told.content;
  return { type: "message", ...told, ...(content === undefined ? {} : { content }), id };
}

async function required(owner: ResponseOwner, id: string): Promise<StoredResponse> {
  const stored = await findResponse(db(), owner, id);
  if (stored === null) throw missing();
  return stored;
}

/** The same for what never was, what has expired, and what is somebody else's. */
const missing = () => apiError("not_found", { userMessage: "There is no such stored response." });

function endpoint(answers: Answers) {
  const methods = Object.keys(answers) as HttpMethod[];
  const handle = async ({ request }: { request: Request }): Promise<Response> => {
    const response = await answered(request, answers, methods);
    response.headers.set("x-request-id", newCallId());
    return response;
  };
  return declared(handle, { methods });
}

async function answered(request: Request, answers: Answers, methods: readonly HttpMethod[]): Promise<Response> {
  try {
    const answer = answers[(request.method === "HEAD" ? "GET" : request.method) as HttpMethod];
    if (answer === undefined) return methodNotAllowedResponse(methods);
    const { pathname, searchParams: query } = new URL(request.url);
    const caller = await authenticate(request);
    allowOrigin(request, caller);
    const owner = ownerOf(caller);
    const id = /^\/v1\/responses\/([\w.-]{1,200})(?:\/|$)/.exec(pathname)?.[1];
    if (id === undefined) throw missing();
    return Response.json(await answer({ owner, id, query }), { headers: { "cache-control": "no-store" } });
  } catch (problem) {
    return gatewayErrorResponse(problem);
  }
}
