import { createHash } from "node:crypto";
import type { z } from "zod";
import { type Db, db } from "~/connection/db.server";
import type { Caller } from "~/domain/keys/shared";
import { AppError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { log } from "~/observe/log.server";
import { moneyJson, parseJson } from "./body/json/money-json";
import { parseLongJson } from "./body/json/parse-json";
import { readBody } from "./body/read-body";
import { databaseError } from "./database-error";
import { type Declaration, declared, type HttpMethod } from "./declaration";
import { connectionOf } from "./server/connection";
import { countRequest } from "./server/requests-in-flight";
import { problemOf, requireNoNul, ValidationError, validationResponse } from "./validation-problem";

const BODY_BYTES = 1024 * 1024;

/** One call of the management API by an admin key, which has access to its own organisation only. */
export type ManageCall = {
  admin: Caller;
  request: Request;
  params: Readonly<Record<string, string | undefined>>;
  /** The client for all work of a POST; with an Idempotency-Key, the transaction that also stores the response. */
  db: Db;
  /** @throws ValidationError */
  query<Schema extends z.ZodType>(schema: Schema): z.output<Schema>;
  /**
   * Reads the JSON body, at most 1 MiB, regardless of its content type.
   * @throws AppError request_too_large, invalid_json; ValidationError
   */
  body<Schema extends z.ZodType>(
    schema: Schema,
    options?: { amounts?: readonly string[]; mayBeEmpty?: boolean },
  ): Promise<z.output<Schema>>;
};

type Method = "GET" | "POST" | "PATCH" | "DELETE";
/** Returns a body (sent as JSON, bigints as exact decimals of US dollars) or a whole response. */
type Operation = (call: ManageCall) => Promise<object>;
type Operations = Partial<Record<Method, Operation>>;
type RouteArguments = { request: Request; params?: Readonly<Record<string, string | undefined>> };

/** A POST with an Idempotency-Key; `digest` identifies its path and body. */
type RepeatablePost = { admin: Caller; request: Request; digest: Buffer };

type Doors = {
  authenticate(request: Request): Promise<Caller>;
  /**
   * Runs the work of a POST in a transaction and answers with its JSON text; a repeated POST gets the first response.
   */
  once(post: RepeatablePost, work: (tx: Db) => Promise<string>): Promise<Response>;
};

type About = Pick<Declaration, "query" | "body"> & {
  /** Rejects a caller that is no longer allowed to make the change, before a stored response is sent again. */
  admit?(caller: Pick<ManageCall, "admin" | "request" | "db">): Promise<unknown>;
};

/**
 * Creates the endpoints of the management API. Each authenticates an admin key, runs the operation of the method, and
 * answers every error in the gateway's envelope; it never rejects. A POST with an Idempotency-Key goes through `admit`,
 * then `once`. `schemas`: the schemas that the operations read with, for the API description.
 */
export function manageEndpoints({ authenticate, once }: Doors) {
  return (operations: Operations, { admit, ...schemas }: About = {}) => {
    const handle = async ({ request, params = {} }: RouteArguments): Promise<Response> => {
      const startedMs = performance.now();
      const connection = connectionOf(request);
      if (connection) countRequest(connection);
      let admin: Caller | null = null;
      let response: Response;
      try {
        admin = await authenticate(request);
        const operation = operationFor(operations, request.method);
        response =
          operation === null
            ? methodNotAllowedResponse(allowed(operations))
            : await answerOf(operation, { admin, request, params }, { once, admit });
      } catch (error) {
        response = answerProblem(error);
      }
      const requestId = crypto.randomUUID();
      response.headers.set("x-request-id", requestId);
      logOperation(request, response, { requestId, admin, startedMs });
      return response;
    };
    return declared(handle, { methods: Object.keys(operations) as HttpMethod[], ...schemas });
  };
}

function operationFor(operations: Operations, method: string): Operation | null {
  const name = method === "HEAD" ? "GET" : method;
  return Object.hasOwn(operations, name) ? (operations[name as Method] ?? null) : null;
}

const allowed = (operations: object): string[] =>
  Object.keys(operations).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));

type Asked = Pick<ManageCall, "admin" | "request" | "params">;

async function answerOf(
  operation: Operation,
  incoming: Asked,
  { once, admit }: Pick<Doors, "once"> & Pick<About, "admit">,
): Promise<Response> {
  const { admin, request } = incoming;
  const parsed = { ...incoming, text: oneReading(request) };
  if (request.method !== "POST" || !request.headers.has("idempotency-key")) {
    return asResponse(await operation(callOf({ ...parsed, db: db() })));
  }
  await admit?.({ admin, request, db: db() });
  const { pathname } = new URL(request.url);
  const digest = createHash("sha256")
    .update(`${pathname}\n`)
    .update(await parsed.text())
    .digest();
  return once({ admin, request, digest }, async (tx) => moneyJson(await operation(callOf({ ...parsed, db: tx }))));
}

/** Returns a function that reads the body on its first call, and returns the same text on later ones. */
function oneReading(request: Request): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => (text ??= readBody(request, BODY_BYTES));
}

function callOf({ text: read, ...asked }: Asked & { db: Db; text: () => Promise<string> }): ManageCall {
  return {
    ...asked,
    query(schema) {
      const parameters = Object.fromEntries(new URL(asked.request.url).searchParams);
      const read = parse(schema, parameters, "query");
      requireNoNul(parameters);
      return read;
    },
    async body(schema, options) {
      const text = await read();
      return parse(schema, parseJson(text, options, await parseLongJson(text)), "body");
    },
  };
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, source: "query" | "body"): z.output<Schema> {
  const read = schema.safeParse(value);
  if (!read.success) throw problemOf(read.error, source);
  return read.data;
}

function asResponse(answer: object): Response {
  return answer instanceof Response ? answer : manageAnswer(moneyJson(answer));
}

/** Creates a JSON response of the management API. */
export const manageAnswer = (text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, { headers: { "content-type": "application/json", "cache-control": "no-store", ...headers } });

function answerProblem(error: unknown): Response {
  if (error instanceof ValidationError) return validationResponse(error);
  if (error instanceof AppError) return gatewayErrorResponse(error);
  log.error({ err: error }, "unexpected problem in the management API");
  return gatewayErrorResponse(databaseError(error) ?? error);
}

function logOperation(
  request: Request,
  response: Response,
  about: { requestId: string; admin: Caller | null; startedMs: number },
): void {
  log.info(
    {
      request: about.requestId,
      key: about.admin?.publicId,
      organisation: about.admin?.organisationId,
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      ms: Math.round(performance.now() - about.startedMs),
    },
    "manage",
  );
}
