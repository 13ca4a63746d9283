import { apiError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { accentSheet } from "~/ui/theme/accent";
import type { Route } from "./+types/$colour";

/** The style sheet of an organisation's colour. The URL contains the colour, so caches may keep it forever. */
export function loader({ params }: Route.LoaderArgs): Response {
  const sheet = accentSheet(params.colour);
  if (sheet === null) return portalErrorResponse(apiError("not_found"));
  return new Response(sheet, {
    headers: { "content-type": "text/css; charset=utf-8", "cache-control": "public, max-age=31536000, immutable" },
  });
}
