import { methodNotAllowedResponse } from "~/errors/envelope";
import { declared } from "~/http/declaration";
import { serviceDescription } from "./service-description.server";

/** The OpenAPI document, readable from any origin. */
export async function loader({ request }: { request: Request }): Promise<Response> {
  const { text, etag } = await serviceDescription();
  const headers = { etag, "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": "application/json; charset=utf-8" } });
}

export const action = declared(() => methodNotAllowedResponse(["GET", "HEAD"]), { methods: [] });
