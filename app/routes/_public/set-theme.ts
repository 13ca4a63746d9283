import { z } from "zod";
import { redirectWith } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { config } from "~/config.server";
import { THEMES } from "~/ui/theme/theme";
import { themeCookie } from "~/ui/theme/theme-cookie.server";

/** Stores the chosen theme and redirects back to the page. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/",
  GET: () => redirectWith("/", []),
  POST: {
    body: z.object({ theme: z.enum(THEMES) }),
    run: ({ body, request }) => {
      const to = cameFrom(request, "/");
      const cookies = [themeCookie(body.theme, { https: new URL(config().baseUrl).protocol === "https:" })];
      return done({ to, cookies, answer: { location: to } });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
