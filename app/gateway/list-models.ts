import { catalogue } from "~/domain/catalogue/index.server";
import type { Model } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { isRegionAllowed } from "~/domain/routing/index.server";
import { apiError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { decoded, pathOf } from "~/http/server/request-target";
import { newCallId } from "~/values/call-id";
import { allowOrigin } from "./allow-origin";
import { authenticate } from "./authenticate";
import { check } from "./dialects/wire/body-checks";
import { isMessagesClient } from "./key-endpoint";
import { listingShapeOf } from "./listing-shape";
import { unixSeconds } from "./unix-seconds";

/**
 * Lists the models that the caller's key may use, in pages if `limit` or a cursor is present. Plain tools get the
 * specification's bare array, applications the list object, and messages clients their own shape. `listing-shape.ts`
 * tells the clients apart.
 */
export const listModels = ({ request }: { request: Request }): Promise<Response> =>
  answer(request, (caller) => {
    const { searchParams } = new URL(request.url);
    const usable = [...catalogue().models.values()].filter((model) => mayUse(caller, model));
    const { models, hasMore } = pageOfModels(usable, searchParams);
    const page = { first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null, has_more: hasMore };
    const shape = listingShapeOf(request.headers, searchParams.get("object"));
    if (shape === "page") return { data: models.map(asMessagesModel), ...page };
    if (shape === "array") return models.map(asListedModel);
    const list = { object: "list", data: models.map(shape === "cards" ? asModelCard : asChatModel) };
    return PAGED_BY.some((name) => searchParams.has(name)) ? { ...list, ...page } : list;
  });

const PAGED_BY = ["limit", "after_id", "before_id", "after"];
const MAX_PAGE = 1_000;

/**
 * Returns the models after a cursor, or right before one; all of them without a limit. @throws AppError invalid_request
 * if a cursor is not the id of a listed model.
 */
function pageOfModels(
  models: readonly Model[],
  query: URLSearchParams,
): { models: readonly Model[]; hasMore: boolean } {
  const placeOf = (name: string): number | null => {
    const id = query.get(name);
    if (id === null) return null;
    const position = models.findIndex((model) => model.id === id);
    check(position >= 0, name, "must be the id of a listed model");
    return position;
  };
  const limitText = query.get("limit") ?? String(MAX_PAGE);
  check(/^0*[1-9]\d{0,14}$/.test(limitText), "limit", "must be a whole number from 1 on");
  const limit = Math.min(Number(limitText), MAX_PAGE);
  const before = placeOf("before_id");
  if (before !== null) return { models: models.slice(Math.max(0, before - limit), before), hasMore: before > limit };
  const from = (placeOf("after_id") ?? placeOf("after") ?? -1) + 1;
  return { models: models.slice(from, from + limit), hasMore: from + limit < models.length };
}

/**
 * Returns one model by its name, in the shape of the client's SDK. A model that the key may not use is a 404
 * `model_not_found`. The name is the path after `/v1/models/`; its slashes may be literal or encoded.
 */
export const retrieveModel = ({ request }: { request: Request }): Promise<Response> =>
  answer(request, (caller) => {
    const model = catalogue().models.get(decoded(pathOf(request.url).replace(/^\/v1\/models\/|\/$/g, "")));
    if (model === undefined || !mayUse(caller, model)) throw apiError("model_not_found", { param: "model" });
    return ONE_AS[listingShapeOf(request.headers, null)](model);
  });

async function answer(request: Request, body: (caller: Caller) => unknown): Promise<Response> {
  const response = await answered(request, body);
  response.headers.set("x-request-id", newCallId());
  return response;
}

async function answered(request: Request, body: (caller: Caller) => unknown): Promise<Response> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowedResponse(["GET", "HEAD"]);
    const caller = await authenticate(request);
    allowOrigin(request, caller);
    return Response.json(body(caller), { headers: { "cache-control": "no-store" } });
  } catch (error) {
    return gatewayErrorResponse(error, isMessagesClient(request) ? "messages" : "chat");
  }
}

const mayUse = (caller: Caller, model: Model): boolean =>
  (caller.allowedModels.length === 0 || caller.allowedModels.includes(model.id)) &&
  (catalogue().routes.get(model.id) ?? []).some(({ supplier }) =>
    isRegionAllowed(supplier.region, caller.allowedRegions, null),
  );

const asListedModel = ({ id, ownedBy }: Model) => ({ id, object: "model", owned_by: ownedBy });
const asChatModel = (model: Model) => ({ ...asListedModel(model), created: unixSeconds(cameAt(model)) });
const asMessagesModel = (model: Model) => ({
  type: "model",
  id: model.id,
  display_name: model.id,
  created_at: cameAt(model).toISOString(),
});
/** The shape of Mistral's SDKs (`BaseModelCard`), which require these fields. */
const asModelCard = (model: Model) => ({
  ...asChatModel(model),
  type: "base",
  max_context_length: model.contextTokens,
  capabilities: {
    completion_chat: model.capability === "chat",
    function_calling: model.capability === "chat" && model.tools !== false,
    vision: model.images === true,
    moderation: model.capability === "moderation",
    audio_transcription: model.capability === "transcription",
    audio_speech: model.capability === "speech",
  },
});
/** The function for a single model, by the shape in which the client gets a list. */
const ONE_AS = { array: asChatModel, list: asChatModel, cards: asModelCard, page: asMessagesModel };

const cameAt = ({ createdAt }: Model): Date => createdAt ?? new Date(0);
