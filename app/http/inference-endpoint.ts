import { methodNotAllowedResponse } from "~/errors/envelope";
import { declared } from "./declaration";

/**
 * Creates a POST-only resource route of the gateway; every other method returns `method_not_allowed` in the envelope.
 */
export function inferenceEndpoint(post: (request: Request) => Promise<Response>) {
  const handle = ({ request }: { request: Request }): Promise<Response> | Response =>
    request.method === "POST" ? post(request) : methodNotAllowedResponse(["POST"]);
  return declared(handle, { methods: ["POST"] });
}
