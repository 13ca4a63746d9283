import { z } from "zod";
import { CATALOGUE } from "~/errors/catalogue";
import { isMessagesPath, tagOf } from "./areas";
import type { SchemaWriter } from "./json-schema";
import { isPage } from "./operations-of";
import {
  ErrorEnvelope,
  ManagementProblem,
  MessagesErrorEnvelope,
  PortalAnswer,
  PortalProblem,
  ValidationProblem,
} from "./problems";
import type { DescribedAnswer, JsonSchema, Operation, OperationNotes, ServedRow } from "./shared";

type Contents = NonNullable<DescribedAnswer["content"]>;

const HTML: Contents = { "text/html": { schema: { type: "string" } } };

export const isGateway = (path: string) => /^\/v[12]\/|^\/health$/.test(path);
const isManagement = (path: string) => path.startsWith("/v1/manage/");
/**
 * Inference requests have their own checks, which return 400 in the gateway's envelope; all other requests are
 * validated with 422.
 */
const validates = (path: string) => !isGateway(path) || isManagement(path);

/** An operation with its route and notes. */
type Described = { operation: Operation; row: ServedRow; notes: OperationNotes; schemas: SchemaWriter };

/** Describes the responses of an operation: success, redirects and errors, by status or by class of statuses. */
export function describeAnswers(
  described: Described,
  about: { hasInput: boolean; isOpen: boolean },
): Record<string, DescribedAnswer> {
  const { row, notes, schemas } = described;
  const { path } = described.operation;
  return {
    "200": success(described),
    ...(leadsOn(described, about) ? { "303": LEADS_ON } : {}),
    ...(notes.hasMoved ? { "301": { ...LEADS_ON, description: "The address has moved" } } : {}),
    ...(about.hasInput && validates(path) ? { "422": invalid(described) } : {}),
    ...(notes.isRanged ? rangesOf(described) : {}),
    ...(notes.unready ? { "503": unready(notes.unready, schemas) } : {}),
    "4XX": problem("The request cannot be answered: an error with a stable code", described),
    "414": unread("The query has too many parameters", schemas),
    "431": unread("The headers are too large", schemas),
    "5XX": trouble(path, row, schemas),
  };
}

/** Responses of a file that supports ranges. */
const rangesOf = (described: Described): Record<string, DescribedAnswer> => ({
  "206": { ...success(described), description: "The part of the file that `Range` names" },
  "304": { description: "The file that `If-None-Match` names" },
  "416": { description: "`Range` names nothing of the file" },
});

const isEvents = (contentType: string) => contentType === "text/event-stream";
// Without a type: tools would validate single events, which OpenAPI 3.1 cannot describe.
const EVENTS: JsonSchema = { description: "Server-sent events." };

const LEADS_ON: DescribedAnswer = {
  description: "Redirect",
  headers: { Location: { description: "The address to go to.", schema: { type: "string" } } },
};

/** Redirects follow browsers' forms, all sign-in operations, and pages that require a sign-in. */
const leadsOn = ({ operation: { method, path }, row, notes }: Described, { isOpen }: { isOpen: boolean }) =>
  !isGateway(path) && (notes.leadsOn ?? (method === "POST" || tagOf(path) === "sign-in" || (isPage(row) && !isOpen)));

function success({ operation: { method, path }, row, notes, schemas }: Described) {
  const content: Contents = {};
  if (method === "GET" && isPage(row)) Object.assign(content, HTML);
  else if (notes.answer) content["application/json"] = { schema: schemas.output(notes.answer) };
  else if (!notes.otherAnswers)
    content["application/json"] = { schema: isGateway(path) ? {} : schemas.output(PortalAnswer) };
  if (method !== "GET" && isPage(row)) Object.assign(content, HTML);
  for (const { contentType } of notes.otherAnswers ?? [])
    content[contentType] = { schema: isEvents(contentType) ? EVENTS : { type: "string" } };
  const headers = Object.entries(notes.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return {
    description: notes.otherAnswers?.find((other) => other.description)?.description ?? "OK",
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    content,
  };
}

function invalid({ operation: { path }, row, notes, schemas }: Described): DescribedAnswer {
  const { errors = [] } = notes;
  const named = isManagement(path) ? ManagementProblem : ValidationProblem;
  // The operation's own errors may have this status too, without a list of invalid values.
  const isRefusedToo = errors.some((code) => CATALOGUE.get(code)?.status === 422);
  return {
    description: "Invalid values; `detail` names each one",
    content: asJson(schemas.output(isRefusedToo ? z.union([named, PortalProblem]) : named), row),
  };
}

const unready = (answer: z.ZodType, schemas: SchemaWriter): DescribedAnswer => ({
  description: "Not ready",
  content: { "application/json": { schema: schemas.output(z.union([answer, ErrorEnvelope])) } },
});

const problem = (description: string, { operation: { path, method }, row, schemas }: Described): DescribedAnswer => ({
  description,
  content: {
    ...asJson(schemas.output(problemOf(path)), row),
    // A form from another site gets an HTML page.
    ...(method !== "GET" && !isGateway(path) ? HTML : {}),
  },
});

// Requests that are rejected before routing get the gateway's envelope at every URL.
const unread = (description: string, schemas: SchemaWriter): DescribedAnswer => ({
  description,
  content: { "application/json": { schema: schemas.output(ErrorEnvelope) } },
});

function trouble(path: string, row: ServedRow, schemas: SchemaWriter): DescribedAnswer {
  const own = problemOf(path);
  const schema = schemas.output(own === ErrorEnvelope ? own : z.union([own, ErrorEnvelope]));
  return { description: "Server error with a stable code", content: asJson(schema, row) };
}

const EITHER_ENVELOPE = z.union([ErrorEnvelope, MessagesErrorEnvelope]);

const problemOf = (path: string) => {
  if (isMessagesPath(path)) return MessagesErrorEnvelope;
  // Libraries of both styles request models and files there, and each reads errors in its own style.
  if (/^\/v1\/(?:models|files)\b/.test(path)) return EITHER_ENVELOPE;
  return isGateway(path) ? ErrorEnvelope : PortalProblem;
};

/** Programs get JSON; browsers get the page with its error. */
const asJson = (schema: JsonSchema, row: ServedRow): Contents => ({
  "application/json": { schema },
  ...(isPage(row) ? HTML : {}),
});
