import { newCallId } from "~/call-id";
import { catalogue } from "~/domain/catalogue/index.server";
import type { Model } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { isRegionAllowed } from "~/domain/routing/index.server";
import { apiError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { decoded, pathOf } from "~/http/request-target";
import { allowOrigin } from "./allow-origin";
import { authenticate } from "./authenticate";

/**
 * The models that the caller's key may use. The answer is a bare array, as the specification shows it; chat SDKs, by the
 * header that they send with every request, and `?object=list` get the list object, and a client that names a messages
 * API version gets that client's shape.
 */
export const listModels = ({ request }: { request: Request }): Promise<Response> =>
  answer(request, (caller) => {
    const usable = [...catalogue().models.values()].filter((model) => mayUse(caller, model));
    if (isMessagesClient(request)) {
      const data = usable.map(asMessagesModel);
      return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    }
    const isList = request.headers.has(SDK_HEADER) || new URL(request.url).searchParams.get("object") === "list";
    return isList ? { object: "list", data: usable.map(asChatModel) } : usable.map(asListedModel);
  });

/**
 * One model by its name, in the shape of the client's SDK. One that the key may not use is not there: 404 `model_not_found`.
 * The name is what stands behind `/v1/models/`, with its slashes as they are or encoded.
 */
export const retrieveModel = ({ request }: { request: Request }): Promise<Response> =>
  answer(request, (caller) => {
    const model = catalogue().models.get(decoded(pathOf(request.url).replace(/^\/v1\/models\/|\/$/g, "")));
    if (model === undefined || !mayUse(caller, model)) throw apiError("model_not_found", { param: "model" });
    return isMessagesClient(request) ? asMessagesModel(model) : asChatModel(model);
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
  } catch (problem) {
    return gatewayErrorResponse(problem, isMessagesClient(request) ? "messages" : "chat");
  }
}

const mayUse = (caller: Caller, model: Model): boolean =>
  (caller.allowedModels.length === 0 || caller.allowedModels.includes(model.id)) &&
  (catalogue().routes.get(model.id) ?? []).some(({ supplier }) =>
    isRegionAllowed(supplier.region, caller.allowedRegions, null),
  );

/** The official chat SDKs say with it in which language they are written. */
const SDK_HEADER = "x-stainless-lang";

const isMessagesClient = ({ headers }: Request): boolean =>
  headers.has("anthropic-version") || headers.has("vendord-version");

const asListedModel = ({ id, ownedBy }: Model) => ({ id, object: "model", owned_by: ownedBy });
const asChatModel = (model: Model) => ({ ...asListedModel(model), created: 0 });
const asMessagesModel = ({ id }: Model) => ({
  type: "model",
  id,
  display_name: id,
  created_at: "1970-01-01T00:00:00Z",
});
