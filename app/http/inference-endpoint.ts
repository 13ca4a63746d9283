import { refusal } from "~/errors/app-error";
import { gatewayErrorResponse } from "~/errors/envelope";

/** A POST-only resource route of the gateway: every other method answers `method_not_allowed` in the envelope. */
export function inferenceEndpoint(post: (request: Request) => Promise<Response>) {
  return ({ request }: { request: Request }): Promise<Response> | Response => {
    if (request.method === "POST") return post(request);
    const response = gatewayErrorResponse(refusal("method_not_allowed"));
    response.headers.set("allow", "POST");
    return response;
  };
}
