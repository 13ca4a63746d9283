import type { z } from "zod";
import { type Declaration, declarationOf, type HttpMethod } from "~/http/declaration";
import { securityOf, tagOf } from "./areas";
import { describeAnswers, isGateway } from "./describe-answers";
import type { SchemaWriter } from "./json-schema";
import { snakeCase } from "./operations-of";
import {
  type DescribedOperation,
  type JsonSchema,
  type Operation,
  type OperationNotes,
  type ServedRow,
  TAGS,
} from "./shared";

/** The declaration of a handler, and its notes. */
type Declared = { declaration: Declaration | null; notes: OperationNotes; schemas: SchemaWriter };

type Parameters = NonNullable<DescribedOperation["parameters"]>;

/** Describes one operation from its notes; missing facts follow from its URL and its handler. */
export function describeOperation({
  operation,
  row,
  given,
  schemas,
}: {
  operation: Operation;
  row: ServedRow;
  given: string | OperationNotes | undefined;
  schemas: SchemaWriter;
}): DescribedOperation {
  const { method, path } = operation;
  const notes = typeof given === "string" ? { summary: given } : (given ?? { summary: `${method} ${path}` });
  const declaration = declarationOf(method === "GET" ? row.module.loader : row.module.action);
  const parameters = [
    ...pathParameters(path, { declaration, notes, schemas }),
    ...queryParameters(method, { declaration, notes, schemas }),
    ...headerParameters(notes),
  ];
  const body = notes.body ?? declaration?.body?.[method];
  // Every portal operation that changes data rejects unknown fields, even one without any fields.
  const readsFields = body !== undefined || (method !== "GET" && !isGateway(path));
  const hasInput = readsFields || parameters.some((parameter) => parameter.in !== "header");
  const security = securityOf(path, declaration?.allow);
  const description = [notes.description, roleOf(declaration?.allow)].filter(Boolean).join("\n\n");
  return {
    operationId: operationIdOf(operation),
    summary: notes.summary,
    ...(description ? { description } : {}),
    tags: [TAGS[notes.tag ?? tagOf(path)][0]],
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBody({ path, body, notes, schemas }) } : {}),
    responses: describeAnswers({ operation, row, notes, schemas }, { hasInput, isOpen: security.length === 0 }),
    ...(notes.errors ? { "x-error-codes": [...notes.errors] } : {}),
  };
}

const operationIdOf = ({ method, path }: Operation): string =>
  `${method.toLowerCase()}_${path.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "") || "home"}`;

const roleOf = (allow: string | undefined) =>
  allow === undefined || allow === "anyone" || allow === "signed-in" ? "" : `For the role \`${allow}\` and above.`;

function pathParameters(path: string, { declaration, notes, schemas }: Declared): Parameters {
  const declaredSchemas = propertiesOf(declaration?.params, schemas);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path" as const,
    required: true,
    ...described(notes.parameters?.[name]),
    schema: declaredSchemas.find((property) => snakeCase(property.name) === name)?.schema ?? { type: "string" },
  }));
}

function queryParameters(method: HttpMethod, { declaration, notes, schemas }: Declared): Parameters {
  return propertiesOf(notes.query ?? declaration?.query?.[method], schemas).map(({ name, schema, required }) => ({
    name,
    in: "query" as const,
    required,
    ...described(notes.parameters?.[name] ?? (schema.description as string | undefined)),
    schema,
  }));
}

const headerParameters = ({ headers = {} }: OperationNotes): Parameters =>
  Object.entries(headers).map(([name, header]) => ({
    name,
    in: "header",
    required: false,
    ...(typeof header === "string" ? { description: header, schema: { type: "string" } } : header),
  }));

const described = (description: string | undefined) => (description === undefined ? {} : { description });

/** Returns the members of an object schema, also of a wrapped one. */
function propertiesOf(
  schema: z.ZodType | undefined,
  schemas: SchemaWriter,
): { name: string; schema: JsonSchema; required: boolean }[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.input(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: asWritten(property),
    required: required.includes(name),
  }));
}

// Paths and queries are texts; the description shows a parameter that must be digits as an integer.
const DIGITS = /^\^(?:\[[01]-9\])?\\d(?:[*+]|\{[\d,]+\})\$$/;

function asWritten({ pattern, ...schema }: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(asWritten) };
  if (schema.type !== "string" || typeof pattern !== "string")
    return pattern === undefined ? schema : { pattern, ...schema };
  return DIGITS.test(pattern) ? { ...schema, type: "integer", minimum: 0 } : { ...schema, pattern };
}

function requestBody({
  path,
  body,
  notes,
  schemas,
}: {
  path: string;
  body: z.ZodType;
  notes: OperationNotes;
  schemas: SchemaWriter;
}) {
  const schema = schemas.input(body);
  const example = notes.example === undefined ? {} : { example: notes.example };
  const types = notes.bodyType
    ? [notes.bodyType]
    : isGateway(path)
      ? ["application/json"]
      : ["application/json", "application/x-www-form-urlencoded"];
  return {
    required: !notes.mayBeEmpty,
    content: Object.fromEntries(types.map((type) => [type, { schema, ...example }])),
  };
}
