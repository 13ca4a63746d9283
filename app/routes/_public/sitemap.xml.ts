import { config } from "~/config.server";
import { methodNotAllowedResponse } from "~/errors/envelope";
import { declared } from "~/http/declaration";
import { PAGES_TO_FIND } from "./pages-to-find";

/** The pages for search engines. */
export function loader(): Response {
  const { baseUrl, statusPage } = config();
  const entries = PAGES_TO_FIND.filter((path) => statusPage || path !== "/status").map(
    (path) => `  <url><loc>${baseUrl}${path}</loc></url>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return new Response(body, {
    headers: { "content-type": "application/xml; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
}

export const action = declared(() => methodNotAllowedResponse(["GET", "HEAD"]), { methods: [] });
