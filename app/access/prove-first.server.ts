import type { RouterContextProvider } from "react-router";
import { fieldsToFillIn } from "~/http/parse-form";
import { hasRecentProof, requireRecentProof } from "./actor.server";
import { flashCookie, redirectWith } from "./flash.server";
import { cameFrom } from "./safe-next";
import { confirmPage } from "./signed-in.server";
import { wantsJson } from "./wants-json";

/**
 * Asks for a recent proof before the act of a form whose page fills itself in by `draftOf`: a browser is sent to
 * `/account/confirm`, comes back to the page, and finds there what it has sent.
 * @throws Response for browsers; AppError authentication_required for programs.
 */
export function proveFirst(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  { page, sent }: { page: string; sent: Readonly<Record<string, unknown>> },
): void {
  if (hasRecentProof(context)) return;
  if (wantsJson(request)) requireRecentProof(context);
  const draft = { action: new URL(request.url).pathname, sent: fieldsToFillIn(sent) };
  throw redirectWith(confirmPage(cameFrom(request, page)), [flashCookie("draft", draft)]);
}
