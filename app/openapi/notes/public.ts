import { z } from "zod";
import { LEGAL_NAMES } from "~/legal/shared";
import type { NotesByOperation } from "../shared";

const LEGAL_TITLES: Readonly<Record<(typeof LEGAL_NAMES)[number], string>> = {
  terms: "Terms of service",
  aup: "Acceptable use policy",
  privacy: "Privacy notice",
  cookies: "Cookies",
  dpa: "Data processing agreement",
  refund: "Refund policy",
  billing: "Billing terms",
  security: "Security policy",
};

const legalNotes: NotesByOperation = Object.fromEntries(
  LEGAL_NAMES.map((name) => [
    `GET /legal/${name}`,
    {
      summary: LEGAL_TITLES[name],
      query: z.object({ version: z.iso.date().optional() }),
      parameters: { version: "An earlier version: the day from which it held." },
    },
  ]),
);

/** Public pages. */
export const publicNotes: NotesByOperation = {
  "GET /": "Home page",
  "GET /pricing": "Prices of every model, with a calculator",
  "GET /features": "What gw does",
  "GET /api-docs": "API reference",
  "GET /api-docs/errors": { summary: "Error codes", query: z.object({ q: z.string().optional() }) },
  "GET /guide": "Guide: first request, streaming, tools, budgets and regions",
  "GET /security": "How keys, content and money are protected",
  "GET /models-public": "Models, capabilities, regions and prices of this installation",
  "GET /status": {
    summary: "Uptime and latency by model and region over 90 days",
    errors: ["not_found"],
  },
  "GET /controls": "Enforced controls and the test behind each",
  "GET /certifications": "Evidence and certifications",
  "GET /developers": "For developers",
  "GET /agents": "Coding agents",
  "GET /resources": "Documents, references and decisions",
  "GET /partners": "For resellers",
  "GET /architecture": "Architecture",
  "GET /platform": "Platform overview",
  "GET /contact": "Contact the operator",
  ...legalNotes,
  "GET /openapi.json": { summary: "OpenAPI description", answer: z.looseObject({ openapi: z.literal("3.1.0") }) },
  "GET /error-codes.json": {
    summary: "List error codes",
    answer: z.looseObject({ count: z.int(), codes: z.array(z.looseObject({ code: z.string() })) }),
  },
  "GET /sitemap.xml": {
    summary: "Sitemap",
    otherAnswers: [{ contentType: "application/xml" }],
  },
  "GET /robots.txt": { summary: "Robots file", otherAnswers: [{ contentType: "text/plain" }] },
  "GET /brand/{colour}": {
    summary: "Style sheet with an organisation’s accent colour",
    parameters: { colour: "Six hexadecimal digits." },
    otherAnswers: [{ contentType: "text/css" }],
  },
  "GET /set-theme": { summary: "Redirect to the home page", leadsOn: true },
  "POST /set-theme": "Set the theme",
  "GET /setup/{token}": "Owner set-up page",
  "POST /setup/{token}": { summary: "Create the owner’s account, once", errors: ["invalid_token"] },
};
