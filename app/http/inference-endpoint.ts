import { methodNotAllowedResponse } from "~/errors/envelope";

/** A POST-only resource route of the gateway: every other method answers `method_not_allowed` in the envelope. */
export function inferenceEndpoint(post: (request: Request) => Promise<Response>) {
  return ({ request }: { request: Request }): Promise<Response> | Response =>
    request.method === "POST" ? post(request) : methodNotAllowedResponse(["POST"]);
}
