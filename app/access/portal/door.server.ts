import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import type { Actor, Role } from "~/domain/accounts/shared";
import { atLeast } from "~/domain/accounts/shared";
import { type AppError, apiError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { issueMessage } from "~/errors/issue-words";
import { errorMessage } from "~/errors/problem-words.server";
import { closed, NO_FIELDS } from "~/http/body/closed-schema";
import { queryFields, readFields } from "~/http/body/read-fields";
import type { HttpMethod } from "~/http/declaration";
import { problemOf, requireNoNul, ValidationError } from "~/http/validation-problem";
import { actorOf, requireActor } from "../actor.server";
import { languageOf } from "../language.server";

/** Allowed senders: people with at least this role, all signed-in people without a pending step, or visitors too. */
export type Allow = Role | "signed-in" | "anyone";
type ActorFor<A extends Allow> = A extends "anyone" ? Actor | null : Actor;
export type Context = Readonly<RouterContextProvider>;
export type Schema = z.ZodType | undefined;
export type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The arguments that React Router passes to a loader or an action. */
export type Given = {
  request: Request;
  url: URL;
  params: Readonly<Record<string, string | undefined>>;
  context: Context;
};

/** Requirements of a portal operation on a request. */
export type Door = {
  allow: Allow;
  methods: readonly HttpMethod[];
  params?: z.ZodType;
  query?: z.ZodType;
  /** Value of a repeated query parameter: the first, or a list of all. */
  repeated?: "first" | "lists";
  /** Body schemas by method; a method that changes data and has no schema accepts no fields. */
  bodies: Partial<Record<HttpMethod, z.ZodType>>;
};

/** A request that has passed all checks, with its validated input. */
export type Call<A extends Allow, Params, Query, Body> = Omit<Given, "params"> & {
  method: HttpMethod;
  actor: ActorFor<A>;
  params: Params;
  query: Query;
  body: Body;
  /** The unvalidated fields of the body. */
  sent: Readonly<Record<string, unknown>>;
};

type AnyCall = Call<Allow, unknown, unknown, unknown>;
type Steps<Answer> = {
  run: (call: AnyCall) => Answer | Promise<Answer>;
  /** Responds to any error. `sent`: the fields of the body, if already read. */
  refuse: (error: unknown, sent: AnyCall["sent"]) => Answer | Promise<Answer>;
};

/**
 * The common entry of every portal request: checks method, sender, path, query and body, then calls `run`. `refuse`
 * responds to the first failed check, and to an error of `run`.
 */
export async function throughDoor<Answer>(door: Door, given: Given, { run, refuse }: Steps<Answer>): Promise<Answer> {
  let sent: AnyCall["sent"] = {};
  try {
    const method = methodOf(given.request, door.methods);
    const actor = allowed(door.allow, given.context) as Actor;
    const params = door.params && checked(door.params, given.params, "path");
    const fields = queryFields(given.url.searchParams, door.repeated ?? "first");
    const query = door.query && checked(door.query, fields, "query");
    requireNoNul(fields);
    const call = { ...given, method, actor, params, query };
    if (method === "GET") return await run({ ...call, body: undefined, sent });
    sent = await readFields(given.request, door.bodies[method]);
    const body = checked(closed(door.bodies[method] ?? NO_FIELDS), sent, "body");
    return await run({ ...call, body: door.bodies[method] && body, sent });
  } catch (error) {
    return refuse(error, sent);
  }
}

/**
 * Returns the portal's JSON response to an error: code, message, human_message, and `detail` for each invalid field.
 */
export function problemResponse(error: AppError, methods: readonly HttpMethod[] = []): Response {
  const own = error instanceof ValidationError ? { detail: error.detail } : undefined;
  const response = portalErrorResponse(error, own);
  if (error.code === "method_not_allowed" && methods.length > 0)
    response.headers.set("allow", methods.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", "));
  return response;
}

/** The same for the error page, in the reader's language; for invalid fields, with their locations. */
export function problemPage(error: AppError, context: Context, methods: readonly HttpMethod[] = []): Response {
  const { status, headers } = problemResponse(error, methods);
  const body = {
    code: error.code,
    human_message: errorMessage(error, languageOf(context)),
    ...(error instanceof ValidationError ? { detail: error.issues.map(({ loc }) => ({ loc })) } : {}),
  };
  return new Response(JSON.stringify(body), { status, headers });
}

function methodOf({ method }: Request, methods: readonly HttpMethod[]): HttpMethod {
  const requested = (method === "HEAD" ? "GET" : method) as HttpMethod;
  if (!methods.includes(requested)) throw apiError("method_not_allowed");
  return requested;
}

function allowed(allow: Allow, context: Context): Actor | null {
  if (allow === "anyone") return actorOf(context);
  const actor = requireActor(context);
  if (allow !== "signed-in" && !atLeast(actor.role, allow)) throw apiError("forbidden");
  return actor;
}

function checked(schema: z.ZodType, value: unknown, source: "path" | "query" | "body"): unknown {
  const read = schema.safeParse(value, { error: issueMessage });
  if (read.success) return read.data;
  throw problemOf(read.error, source);
}
