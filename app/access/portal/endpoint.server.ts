import type { z } from "zod";
import { moneyJson } from "~/http/body/json/money-json";
import { declared, type HttpMethod } from "~/http/declaration";
import { flashCookie, redirectWith, type Toast } from "../flash.server";
import { safeNext } from "../safe-next";
import { wantsJson } from "../wants-json";
import { errorResponse } from "./answer-to-problem.server";
import { type Allow, type Call, type Given, type Out, type Schema, throughDoor } from "./door.server";

type Run<A extends Allow, P, Q, B> = (call: Call<A, Out<P>, Out<Q>, Out<B>>) => Answer | Promise<Answer>;
type WithBody<A extends Allow, P, Q, B> = Run<A, P, Q, undefined> | { body?: B; run: Run<A, P, Q, B> };

/** An object becomes JSON with `ok: true`; a response is sent unchanged; `done` serves browsers and programs. */
type Answer = object;

type Options<A extends Allow, P, Q, B1, B2, B3, B4> = {
  params?: P;
  query?: Q;
  allow: A;
  /** The page with the form, for browsers that send no Referer. */
  page?: string;
  GET?: Run<A, P, Q, undefined>;
  POST?: WithBody<A, P, Q, B1>;
  PUT?: WithBody<A, P, Q, B2>;
  PATCH?: WithBody<A, P, Q, B3>;
  DELETE?: WithBody<A, P, Q, B4>;
};

/**
 * Creates a portal endpoint without a page, which returns data or accepts a form. A body must only have fields of its
 * schema, and none without a schema. Programs get JSON (`{ok: true, …}`, or `code`, `message`, `human_message`,
 * `detail`) with the right status. A browser's form gets a 303; after an error, back to its page, with the messages.
 * Never rejects. Export the result twice: `export const loader = endpoint; export const action = endpoint;`.
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
  const { allow, params, query, page } = options;
  const methods = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).filter((method) => options[method]);
  const bodies: Partial<Record<HttpMethod, z.ZodType>> = {};
  for (const method of methods) {
    const schema = bodyOf(options[method]);
    if (schema) bodies[method] = schema;
  }
  const handle = (given: Given): Promise<Response> =>
    throughDoor<Response>({ allow, methods, params, query, repeated: "lists", bodies }, given, {
      run: async (call) => {
        const operation = options[call.method];
        const run = (typeof operation === "function" ? operation : operation?.run) as (
          call: unknown,
        ) => Promise<Answer>;
        return answerOf(await run(call), given.request);
      },
      refuse: (error, sent) => errorResponse(error, { ...given, sent, page, methods }),
    });
  return declared(handle, {
    methods,
    allow,
    params,
    query: query && Object.fromEntries(methods.map((method) => [method, query as z.ZodType])),
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
 * Returns the response of a completed action: a browser's form is redirected to `to`, which shows `toast`; a program
 * gets `{ok: true, …answer}`. `cookies`: Set-Cookie headers for both.
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

function bodyOf(operation: unknown): z.ZodType | undefined {
  return typeof operation === "object" && operation !== null ? (operation as { body?: z.ZodType }).body : undefined;
}
