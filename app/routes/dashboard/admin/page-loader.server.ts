import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { requireRole } from "~/access/actor.server";
import { wantsJson } from "~/access/wants-json";
import type { Actor, Role } from "~/domain/identity/shared";
import { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { declared } from "~/http/declaration";
import { queryFields } from "~/http/read-fields";
import { problemOf, ValidationProblem } from "~/http/validation-problem";

type Context = Readonly<RouterContextProvider>;
type Given = { request: Request; url: URL; params: Readonly<Record<string, string | undefined>>; context: Context };
type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Schema = z.ZodType | undefined;

/** What was wrong with a page, for a program that asked for it. */
const problemContext = createContext<AppError | null>(null);

/**
 * Makes the loader of a page of the administration: the role first, then path and query, then what it reads. People get the
 * page of the problem with its status; programs that ask for JSON get the fields of the error, by `problemsAsJson`.
 */
export function pageLoader<Data, const P extends Schema = undefined, const Q extends Schema = undefined>(
  options: { allow: Role; params?: P; query?: Q },
  read: (call: {
    actor: Actor;
    params: Out<P>;
    query: Out<Q>;
    request: Request;
    url: URL;
    context: Context;
  }) => Promise<Data>,
) {
  const loader = async ({ request, url, params, context }: Given): Promise<Data> => {
    try {
      const actor = requireRole(context, options.allow);
      return await read({
        actor,
        params: (options.params && checked(options.params, params, "path")) as Out<P>,
        query: (options.query && checked(options.query, queryFields(url.searchParams, "first"), "query")) as Out<Q>,
        request,
        url,
        context,
      });
    } catch (problem) {
      if (!(problem instanceof AppError)) throw problem;
      context.set(problemContext, problem);
      throw bodyOf(problem);
    }
  };
  return declared(loader, {
    methods: ["GET"],
    allow: options.allow,
    params: options.params,
    query: options.query && { GET: options.query },
  });
}

/** Answers programs that read a page with the fields of what went wrong. */
export const problemsAsJson: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const response = await next();
  const problem = context.get(problemContext);
  return problem !== null && request.method === "GET" && wantsJson(request) ? bodyOf(problem) : response;
};

const bodyOf = (problem: AppError): Response =>
  portalErrorResponse(problem, problem instanceof ValidationProblem ? { detail: problem.detail } : undefined);

function checked(schema: z.ZodType, value: unknown, source: "path" | "query"): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problem = problemOf(result.error, source);
  throw new ValidationProblem(problem.detail.map((detail) => ({ ...detail, loc: detail.loc.map(snakeCase) })));
}

const snakeCase = (part: string | number) =>
  typeof part === "number" ? part : part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
