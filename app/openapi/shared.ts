import type { z } from "zod";
import type { HttpMethod } from "~/http/declaration";

/** The areas of the description, in the order in which they are shown. */
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

/** A header that may not be any text. */
type DescribedHeader = { description: string; schema: JsonSchema };

/** A file in or out, or a text that is not JSON. */
type OtherContent = { contentType: string; description?: string };

/**
 * What there is to say about one operation beside what its handler declares. Every field has a default that follows from
 * the URL and the handler; only `summary` is asked for.
 */
export type OperationNotes = {
  /** One line, without a full stop. */
  summary: string;
  description?: string;
  tag?: Tag;
  /** Words about path and query parameters by their published name. */
  parameters?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string | DescribedHeader>>;
  /** Query parameters and body, where the handler does not declare them. */
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether the request may come without its body. */
  mayBeEmpty?: boolean;
  bodyType?: "application/json" | "multipart/form-data" | "application/x-www-form-urlencoded";
  /** The JSON of status 200. */
  answer?: z.ZodType;
  /** Other forms that status 200 can have. */
  otherAnswers?: readonly OtherContent[];
  answerHeaders?: Readonly<Record<string, string>>;
  /** Whether it answers a part of itself where `Range` names one. */
  isRanged?: boolean;
  /** The JSON of status 503, where it is not the error envelope alone. */
  unready?: z.ZodType;
  /** Whether it may lead a browser on by 303; left out, what follows from the URL. */
  leadsOn?: boolean;
  /** Codes that are worth knowing here. */
  errors?: readonly string[];
  /** A body that works as it is on a fresh installation, for documentation and tests. */
  example?: unknown;
};

/** `"METHOD /published/path"` and what there is to say; a text is its summary. */
export type NotesByOperation = Readonly<Record<string, string | OperationNotes>>;

/** One row of the route table with what its module exports. */
export type ServedRow = {
  /** As in the route table: `dashboard/keys/:keyId`. */
  path: string;
  module: { loader?: unknown; action?: unknown; default?: unknown };
};

export type Operation = { method: HttpMethod; path: string };

/** A part of JSON Schema as documents carry it. */
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
