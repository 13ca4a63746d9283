import { config } from "~/config.server";
import { methodNotAllowedResponse } from "~/errors/envelope";
import { declared } from "~/http/declaration";

const CLOSED = ["/v1/", "/v2/", "/api/", "/auth/", "/dashboard", "/invite/", "/oauth/", "/setup/"];

/** Rules for crawlers. */
export function loader(): Response {
  const lines = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${config().baseUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
}

export const action = declared(() => methodNotAllowedResponse(["GET", "HEAD"]), { methods: [] });
