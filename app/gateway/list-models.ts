import { catalogue } from "~/domain/catalogue/index.server";
import { isRegionAllowed } from "~/domain/routing/index.server";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { authenticate } from "./authenticate";
import { newCallId } from "./call-id";

/**
 * The models that the caller's key may use. The answer is a bare array, as the specification shows it;
 * `?object=list` wraps it as chat SDKs read it, and a client that names a messages API version gets that client's shape.
 */
export async function listModels({ request }: { request: Request }): Promise<Response> {
  const response = await listed(request);
  response.headers.set("x-request-id", newCallId());
  return response;
}

async function listed(request: Request): Promise<Response> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowedResponse(["GET", "HEAD"]);
    const caller = await authenticate(request);
    const { models, routes } = catalogue();
    const usable = [...models.values()].filter(
      (model) =>
        (caller.allowedModels.length === 0 || caller.allowedModels.includes(model.id)) &&
        (routes.get(model.id) ?? []).some(({ supplier }) =>
          isRegionAllowed(supplier.region, caller.allowedRegions, null),
        ),
    );
    const data = usable.map((model) => ({ id: model.id, object: "model", owned_by: model.ownedBy }));
    return Response.json(shaped(request, data), { headers: { "cache-control": "no-store" } });
  } catch (problem) {
    return gatewayErrorResponse(problem);
  }
}

type ListedModel = { id: string; object: string; owned_by: string };

function shaped(request: Request, data: ListedModel[]): unknown {
  if (request.headers.has("anthropic-version") || request.headers.has("vendord-version")) {
    const list = data.map(({ id }) => ({ type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" }));
    return { data: list, has_more: false, first_id: list[0]?.id ?? null, last_id: list.at(-1)?.id ?? null };
  }
  if (new URL(request.url).searchParams.get("object") !== "list") return data;
  return { object: "list", data: data.map((model) => ({ ...model, created: 0 })) };
}
