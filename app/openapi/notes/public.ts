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

/** What everyone may see. */
export const publicNotes: NotesByOperation = {
  "GET /": "The start page",
  "GET /pricing": "Prices of every model, with a calculator",
  "GET /features": "What gw does",
  "GET /api-docs": "This description, to read",
  "GET /api-docs/errors": { summary: "Every error code", query: z.object({ q: z.string().optional() }) },
  "GET /guide": "From nothing to the first call, streams, tools, budgets and regions",
  "GET /security": "How keys, content and money are protected",
  "GET /models-public": "Models, capabilities, regions and prices of this installation",
  "GET /controls": "What is enforced, and the test that holds each rule",
  "GET /certifications": "Which evidence there is, and which certificates there are not",
  "GET /developers": "Everything for people who build on it",
  "GET /agents": "Coding agents through the gateway",
  "GET /resources": "Documents, references and decisions",
  "GET /partners": "For resellers",
  "GET /architecture": "How a request and its money go through the system",
  "GET /platform": "The parts of the product and how they belong together",
  "GET /contact": "How to reach the operator",
  ...legalNotes,
  "GET /openapi.json": { summary: "This description", answer: z.looseObject({ openapi: z.literal("3.1.0") }) },
  "GET /error-codes.json": {
    summary: "Every error code, for programs",
    answer: z.looseObject({ count: z.int(), codes: z.array(z.looseObject({ code: z.string() })) }),
  },
  "GET /sitemap.xml": {
    summary: "The public pages, for search engines",
    otherAnswers: [{ contentType: "application/xml" }],
  },
  "GET /robots.txt": { summary: "What search engines may read", otherAnswers: [{ contentType: "text/plain" }] },
  "GET /brand/{colour}": {
    summary: "The style sheet of an organisation’s accent colour",
    parameters: { colour: "Six hexadecimal digits." },
    otherAnswers: [{ contentType: "text/css" }],
  },
  "GET /set-theme": { summary: "Leads to the start page", leadsOn: true },
  "POST /set-theme": "Remembers light or dark colours",
  "GET /setup/{token}": "The owner’s set-up link",
  "POST /setup/{token}": { summary: "Creates the owner’s account, once", errors: ["invalid_token"] },
};
