import type { z } from "zod";
import type { HttpMethod } from "~/http/declaration";

/** The areas of the API description, in display order. */
export const TAGS = {
  inference: ["Inference", "Models, called with a key. Change the base URL and the key of the SDK you have."],
  management: ["Management", "Keys, people, the organisation and the audit log, for programs, with an admin key."],
  public: ["Public pages", "What everyone may see without signing in."],
  "sign-in": ["Signing in", "Accounts, sessions, identity providers, terms, language."],
  dashboard: ["Dashboard", "What people see and do after signing in."],
  keys: ["Keys", "Keys in the portal."],
  usage: ["Usage and requests", "Usage, request log, quality, autorouter."],
  reports: ["Reports", "Saved reports, exports, schedules."],
  billing: ["Budgets and billing", "Budgets, wallets, payments."],
  administration: ["Administration", "People, organisations, projects, models and suppliers."],
} as const satisfies Record<string, readonly [title: string, description: string]>;
export type Tag = keyof typeof TAGS;

/** A header with a schema of its own. */
type DescribedHeader = { description: string; schema: JsonSchema };

/** A file in a request or response, or a text that is not JSON. */
type OtherContent = { contentType: string; description?: string };

/**
 * Notes on one operation, in addition to the declaration of its handler. Only `summary` is required; the defaults of
 * the other fields follow from the URL and the handler.
 */
export type OperationNotes = {
  /** One line, without a full stop. */
  summary: string;
  description?: string;
  tag?: Tag;
  /** Descriptions of path and query parameters by their published name. */
  parameters?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string | DescribedHeader>>;
  /** Query parameters and body, if the handler does not declare them. */
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether the request body is optional. */
  mayBeEmpty?: boolean;
  bodyType?: "application/json" | "multipart/form-data" | "application/x-www-form-urlencoded";
  /** JSON body of status 200. */
  answer?: z.ZodType;
  /** Other bodies of status 200. */
  otherAnswers?: readonly OtherContent[];
  answerHeaders?: Readonly<Record<string, string>>;
  /** Whether it supports the `Range` header. */
  isRanged?: boolean;
  /** JSON body of status 503, if it is not only the error envelope. */
  unready?: z.ZodType;
  /** Whether it may redirect a browser with 303; by default, this follows from the URL. */
  leadsOn?: boolean;
  /** Whether old addresses of it redirect permanently, with 301. */
  hasMoved?: boolean;
  /** Important error codes of this operation. */
  errors?: readonly string[];
  /** A body that works unchanged on a new installation, for documentation and tests. */
  example?: unknown;
};

/** Notes by `"METHOD /published/path"`; a text is the summary. */
export type NotesByOperation = Readonly<Record<string, string | OperationNotes>>;

/** One row of the route table with the exports of its module. */
export type ServedRow = {
  /** As in the route table: `dashboard/keys/:keyId`. */
  path: string;
  module: { loader?: unknown; action?: unknown; default?: unknown };
};

export type Operation = { method: HttpMethod; path: string };

/** A JSON Schema. */
export type JsonSchema = { [keyword: string]: unknown };

export type DescribedOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: "path" | "query" | "header";
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, DescribedAnswer>;
  "x-error-codes"?: string[];
};

export type DescribedAnswer = {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, { schema: JsonSchema }>;
};

export type OpenApiDocument = {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Lowercase<HttpMethod>, DescribedOperation>>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
};
