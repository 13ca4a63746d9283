import { redirect } from "react-router";
import { z } from "zod";
import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";
import { answerApiErrors } from "~/http/answer-refusals";
import { readFields } from "~/http/read-fields";
import { problemOf } from "~/http/validation-problem";
import { THEMES } from "~/ui/theme";
import { themeCookie } from "~/ui/theme-cookie.server";
import type { Route } from "./+types/set-theme";

const ThemeForm = z.strictObject({ theme: z.enum(THEMES) });

/** Remembers the chosen colours and goes back to the page it came from. */
export const action = answerApiErrors(async ({ request }: Route.ActionArgs) => {
  if (request.method !== "POST") throw apiError("method_not_allowed");
  const form = ThemeForm.safeParse(await readFields(request));
  if (!form.success) throw problemOf(form.error, "body");
  const { origin, protocol } = new URL(config().baseUrl);
  return redirect(pageOf(request.headers.get("referer"), [origin, new URL(request.url).origin]), {
    status: 303,
    headers: { "set-cookie": themeCookie(form.data.theme, { https: protocol === "https:" }) },
  });
});

export const loader = () => redirect("/", 303);

/** The path of a page of ours; the start page for any other address. */
function pageOf(referer: string | null, origins: readonly string[]): string {
  const from = referer !== null && URL.canParse(referer) ? new URL(referer) : null;
  // A path that begins with two slashes would be read as another host.
  if (from === null || !origins.includes(from.origin) || from.pathname.startsWith("//")) return "/";
  return from.pathname + from.search;
}
