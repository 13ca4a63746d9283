import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import type { Actor, Role } from "~/domain/identity/shared";
import { atLeast } from "~/domain/identity/shared";
import { refusal } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { closed, NO_FIELDS } from "~/http/closed-schema";
import { declared, type HttpMethod } from "~/http/declaration";
import { moneyJson } from "~/http/money-json";
import { queryFields, readFields } from "~/http/read-fields";
import { problemOf, ValidationProblem } from "~/http/validation-problem";
import { actorOf, requireActor } from "./actor.server";
import { answerToProblem } from "./answer-to-problem.server";
import { flashCookie, redirectWith, type Toast } from "./flash.server";
import { safeNext } from "./safe-next";
import { wantsJson } from "./wants-json";

type Allow = Role | "signed-in" | "anyone";
type ActorFor<A extends Allow> = A extends "anyone" ? Actor | null : Actor;
type Context = Readonly<RouterContextProvider>;

/** One call of an endpoint; what it carries has been checked. */
export type PortalCall<A extends Allow, Params, Query, Body> = {
  actor: ActorFor<A>;
  params: Params;
  query: Query;
  body: Body;
  request: Request;
  context: Context;
};

type Call<A extends Allow, P, Q, B> = (call: PortalCall<A, Out<P>, Out<Q>, Out<B>>) => Answer | Promise<Answer>;
type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type WithBody<A extends Allow, P, Q, B> = Call<A, P, Q, undefined> | { body?: B; run: Call<A, P, Q, B> };

/** An object becomes JSON with `ok: true`; a response goes out as it is; `done` suits browsers and programs. */
type Answer = object;

type Options<A extends Allow, P, Q, B1, B2, B3, B4> = {
  params?: P;
  query?: Q;
  allow: A;
  /** The page with the form, for a browser that does not say where it came from. */
  page?: string;
  GET?: Call<A, P, Q, undefined>;
  POST?: WithBody<A, P, Q, B1>;
  PUT?: WithBody<A, P, Q, B2>;
  PATCH?: WithBody<A, P, Q, B3>;
  DELETE?: WithBody<A, P, Q, B4>;
};

type RouteArguments = {
  request: Request;
  url: URL;
  params: Readonly<Record<string, string | undefined>>;
  context: Context;
};
type Schema = z.ZodType | undefined;

/**
 * Makes a URL of the portal that answers data or takes a form without being a page. Checks, in this order: the method,
 * who asks, path, query, body; a body has no fields beside those of its schema, and none where there is no schema. Programs get JSON (`{ok: true, …}`, or `code`, `message`, `human_message`, `detail`) with
 * the right status; a browser's form gets 303, on trouble back to the page it came from, with the messages. Never rejects.
 * Export the result twice: `export const loader = endpoint; export const action = endpoint;`.
 */
export function portalEndpoint<
  const A extends Allow,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B1 extends Schema = undefined,
  B2 extends Schema = undefined,
  B3 extends Schema = undefined,
  B4 extends Schema = undefined,
>(options: Options<A, P, Q, B1, B2, B3, B4>) {
  const methods = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).filter((method) => options[method]);
  const bodies: Partial<Record<HttpMethod, z.ZodType>> = {};
  for (const method of methods) {
    const schema = bodyOf(options[method]);
    if (schema) bodies[method] = schema;
  }
  const handle = async ({ request, url, params, context }: RouteArguments): Promise<Response> => {
    const sent: { fields: Readonly<Record<string, unknown>> } = { fields: {} };
    try {
      const method = (request.method === "HEAD" ? "GET" : request.method) as HttpMethod;
      if (!methods.includes(method)) return methodNotAllowed(methods);
      const actor = allowed(options.allow, context);
      const call = {
        actor,
        params: options.params && checked(options.params, params, "path"),
        query: options.query && checked(options.query, queryFields(url.searchParams, "lists"), "query"),
        body: undefined as unknown,
        request,
        context,
      };
      if (method !== "GET") {
        sent.fields = await readFields(request);
        const read = checked(closed(bodies[method] ?? NO_FIELDS), sent.fields, "body");
        if (bodies[method]) call.body = read;
      }
      const operation = options[method];
      const run = (typeof operation === "function" ? operation : operation?.run) as (call: unknown) => Promise<Answer>;
      return answerOf(await run(call), request);
    } catch (problem) {
      return answerToProblem(problem, { request, url, context, sent: sent.fields, page: options.page });
    }
  };
  return declared(handle, {
    methods,
    allow: options.allow,
    params: options.params,
    query: options.query && Object.fromEntries(methods.map((method) => [method, options.query as z.ZodType])),
    body: bodies,
  });
}

const DONE = Symbol("done");
type Done = {
  [DONE]: true;
  to: string;
  toast?: string | Toast;
  cookies: readonly string[];
  answer: Readonly<Record<string, unknown>>;
};

/**
 * The answer of an act: a browser's form goes to `to` and shows `toast` there, a program gets `{ok: true, …answer}`.
 * `cookies` are Set-Cookie headers and go to both.
 */
export function done(act: {
  to: string;
  toast?: string | Toast;
  cookies?: readonly string[];
  answer?: Readonly<Record<string, unknown>>;
}): Done {
  return { [DONE]: true, to: act.to, toast: act.toast, cookies: act.cookies ?? [], answer: act.answer ?? {} };
}

function answerOf(answer: Answer, request: Request): Response {
  if (answer instanceof Response) return answer;
  if (!(DONE in answer)) return json({ ok: true, ...answer }, []);
  const { to, toast, cookies, answer: own } = answer as Done;
  if (wantsJson(request)) return json({ ok: true, ...own }, cookies);
  const shown = typeof toast === "string" ? { kind: "good" as const, text: toast } : toast;
  return redirectWith(safeNext(to, "/"), shown ? [...cookies, flashCookie("toast", shown)] : cookies);
}

function json(body: object, cookies: readonly string[]): Response {
  const headers = new Headers({ "content-type": "application/json", "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(moneyJson(body), { headers });
}

function methodNotAllowed(methods: readonly HttpMethod[]): Response {
  const response = portalErrorResponse(refusal("method_not_allowed"));
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  response.headers.set("allow", allow.join(", "));
  return response;
}

function allowed(allow: Allow, context: Context): Actor | null {
  if (allow === "anyone") return actorOf(context);
  const actor = requireActor(context);
  if (allow !== "signed-in" && !atLeast(actor.role, allow)) throw refusal("forbidden");
  return actor;
}

function checked(schema: z.ZodType, value: unknown, source: "path" | "query" | "body"): unknown {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problem = problemOf(read.error, source);
  if (source !== "path") throw problem;
  // Path parameters are published in snake case.
  throw new ValidationProblem(problem.detail.map((detail) => ({ ...detail, loc: detail.loc.map(snakeCase) })));
}

const snakeCase = (part: string | number) =>
  typeof part === "number" ? part : part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function bodyOf(operation: unknown): z.ZodType | undefined {
  return typeof operation === "object" && operation !== null ? (operation as { body?: z.ZodType }).body : undefined;
}
