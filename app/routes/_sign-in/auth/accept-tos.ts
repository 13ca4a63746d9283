import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { safeNext } from "~/access/safe-next";
import { offeredProviders } from "~/access/sign-in/provider-settings.server";
import { wantsJson } from "~/access/wants-json";
import { CheckedField, PROVIDERS } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { currentLegalVersion } from "~/legal/index.server";
import { termsCookie } from "../flow/journey-cookies.server";
import { requireOpenSignUp, termsNotAccepted } from "../flow/policy.server";

const AcceptTosForm = z.object({
  accept_terms: CheckedField,
  provider: z.enum(PROVIDERS).optional(),
  next: z.string().max(2_000).optional(),
  /** Set by a reseller's portal that sent the browser here; the start of the provider's sign-in checks them. */
  domain: z.string().max(253).optional(),
  browser: z.string().max(100).optional(),
  /** The address that the provider reported. For display only: the page shows it again if the box is unchecked. */
  email: z.string().max(320).optional(),
});

/** Records for a short time that a visitor accepts the terms, before they open an account through a provider. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/signup",
  POST: {
    body: AcceptTosForm,
    async run({ body, request }) {
      requireOpenSignUp();
      if (!body.accept_terms) throw termsNotAccepted();
      const offered = offeredProviders().map(({ provider }) => provider);
      const provider = body.provider ?? offered[0];
      if (provider === undefined || !offered.includes(provider)) throw apiError("not_found");
      const query = new URLSearchParams({ next: safeNext(body.next, "/dashboard") });
      if (body.domain && body.browser) {
        query.set("domain", body.domain);
        query.set("browser", body.browser);
      }
      const version = currentLegalVersion();
      const to = `/auth/${provider}?${query}`;
      const cookies = [termsCookie.set({ version })];
      return wantsJson(request) ? done({ to, cookies, answer: { version, next: to } }) : redirectByPage(to, cookies);
    },
  },
});
/**
 * Redirects a browser's form by a page with a refresh instead of an HTTP redirect. The content security policy limits
 * form targets to this site, and browsers apply it to every redirect after a form, including the one to the provider.
 */
function redirectByPage(to: string, cookies: readonly string[]): Response {
  const headers = new Headers({ "content-type": "text/html; charset=utf-8", refresh: `0; url=${to}` });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  const target = to.replaceAll("&", "&amp;");
  return new Response(`<!doctype html><title>…</title><a href="${target}">→</a>`, { headers });
}

export const loader = endpoint;
export const action = endpoint;
