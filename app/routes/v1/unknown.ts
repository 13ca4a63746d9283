import { apiError } from "~/errors/app-error";
import { gatewayErrorResponse } from "~/errors/envelope";

/** Every path under /v1 that is not in the table, with any method: an envelope instead of a page. */
export const loader = answer;
export const action = answer;

function answer({ request }: { request: Request }): Response {
  const { pathname } = new URL(request.url);
  const dialect = pathname.startsWith("/v1/messages") ? "messages" : "chat";
  const response = gatewayErrorResponse(apiError("not_found"), dialect);
  response.headers.set("x-request-id", crypto.randomUUID());
  return response;
}
