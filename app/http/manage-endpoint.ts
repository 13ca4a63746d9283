import type { z } from "zod";
import type { Caller } from "~/domain/keys/shared";
import { AppError, apiError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { log } from "~/log.server";
import { connectionOf } from "./connection";
import { isDatabaseAway } from "./database-problem";
import { type Declaration, declared, type HttpMethod } from "./declaration";
import { moneyJson, parseJson } from "./money-json";
import { parseLongJson } from "./parse-json";
import { readBody } from "./read-body";
import { countRequest } from "./requests-in-flight";
import { problemOf, ValidationError, validationResponse } from "./validation-problem";

const BODY_BYTES = 1024 * 1024;

/** One call of the management API, by an admin key. What the key may touch is its own organisation, and nothing else. */
export type ManageCall = {
  admin: Caller;
  request: Request;
  params: Readonly<Record<string, string | undefined>>;
  /** @throws ValidationError */
  query<Schema extends z.ZodType>(schema: Schema): z.output<Schema>;
  /**
   * The JSON body, at most 1 MiB, whatever its content type says.
   * @throws AppError request_too_large, invalid_json; ValidationError
   */
  body<Schema extends z.ZodType>(
    schema: Schema,
    options?: { amounts?: readonly string[]; mayBeEmpty?: boolean },
  ): Promise<z.output<Schema>>;
};

type Method = "GET" | "POST" | "PATCH" | "DELETE";
/** Answers with a body (sent as JSON, bigints as exact decimals of US dollars) or with a whole response. */
type Operation = (call: ManageCall) => Promise<object>;
type Operations = Partial<Record<Method, Operation>>;
type RouteArguments = { request: Request; params?: Readonly<Record<string, string | undefined>> };

/**
 * Makes the URLs of the management API: each authenticates an admin key by `authenticate`, finds the operation of the
 * method, and answers every problem in the gateway's envelope. They never reject. `schemas` are those that the operations
 * read by, for the description of the service.
 */
export function manageEndpoints(authenticate: (request: Request) => Promise<Caller>) {
  return (operations: Operations, schemas: Pick<Declaration, "query" | "body"> = {}) => {
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
            : asResponse(await operation(callOf(admin, request, params)));
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

function callOf(admin: Caller, request: Request, params: ManageCall["params"]): ManageCall {
  return {
    admin,
    request,
    params,
    query(schema) {
      return parse(schema, Object.fromEntries(new URL(request.url).searchParams), "query");
    },
    async body(schema, options) {
      const text = await readBody(request, BODY_BYTES);
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
  if (answer instanceof Response) return answer;
  return new Response(moneyJson(answer), {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}

function answerProblem(problem: unknown): Response {
  if (problem instanceof ValidationError) return validationResponse(problem);
  if (problem instanceof AppError) return gatewayErrorResponse(problem);
  log.error({ err: problem }, "unexpected problem in the management API");
  return gatewayErrorResponse(isDatabaseAway(problem) ? apiError("service_unavailable", { cause: problem }) : problem);
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
