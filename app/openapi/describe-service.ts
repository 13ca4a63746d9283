import type { HttpMethod } from "~/http/declaration";
import { securitySchemes } from "./areas";
import { describeOperation } from "./describe-operation";
import { SchemaWriter } from "./json-schema";
import { NOTES } from "./notes";
import { operationsOf } from "./operations-of";
import { ErrorEnvelope, PortalProblem, ValidationProblem } from "./problems";
import { type OpenApiDocument, type ServedRow, TAGS } from "./shared";

const ABOUT = `The gateway's API under /v1 and the portal's own operations.

Every error has a stable code: see /api-docs/errors, or /error-codes.json for programs. 429 and 503 carry Retry-After.

The portal's POST operations take a form or JSON. A program that sends \`Accept: application/json\` or a JSON body gets
JSON, \`{"ok": true, …}\` or the error's fields; a browser's form is led on with 303, or gets the page again with its errors.`;

/** Describes all operations of the route table as OpenAPI 3.1. `baseUrl` is the origin that clients use. */
export function describeService(rows: readonly ServedRow[], baseUrl: string): OpenApiDocument {
  const schemas = new SchemaWriter();
  for (const problem of [ErrorEnvelope, PortalProblem, ValidationProblem]) schemas.output(problem);
  const paths: OpenApiDocument["paths"] = {};
  for (const row of rows) {
    for (const operation of operationsOf(row)) {
      const described = describeOperation({
        operation,
        row,
        given: NOTES[`${operation.method} ${operation.path}`],
        schemas,
      });
      const method = operation.method.toLowerCase() as Lowercase<HttpMethod>;
      paths[operation.path] = { ...paths[operation.path], [method]: described };
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "portal", version: "0.1.0", description: ABOUT },
    servers: [{ url: baseUrl }],
    tags: Object.values(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: schemas.components, securitySchemes: securitySchemes(baseUrl) },
  };
}
