import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { actorOf, requireRole } from "~/access/actor.server";
import { flashCookie, redirectWith, type Toast } from "~/access/flash.server";
import { cameFrom } from "~/access/safe-next";
import { confirmPage } from "~/access/signed-in.server";
import { wantsJson } from "~/access/wants-json";
import type { Actor, Role } from "~/domain/identity/shared";
import { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { closed, NO_FIELDS } from "~/http/closed-schema";
import { declared, type HttpMethod } from "~/http/declaration";
import { fieldProblems, fieldsToFillIn } from "~/http/parse-form";
import { readFields } from "~/http/read-fields";
import { requireMethod } from "~/http/require-method";
import { problemOf, ValidationProblem } from "~/http/validation-problem";
import { inLanguage } from "~/i18n/server.server";

type Given = {
  request: Request;
  params: Readonly<Record<string, string | undefined>>;
  context: Readonly<RouterContextProvider>;
};
type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Schema = z.ZodType | undefined;
type Call<P extends Schema, Body> = {
  actor: Actor;
  params: Out<P>;
  body: Body;
  /** The form as it was sent. */
  sent: Readonly<Record<string, unknown>>;
  request: Request;
  context: Given["context"];
};
/** Where a page's form leads when it worked, and what that page then says or keeps. */
export type Onward = {
  to: string;
  toast: string | Toast;
  cookies?: readonly string[];
  /** What a program is told besides `location`. */
  answer?: Readonly<Record<string, unknown>>;
};
/** A form that was refused, for its page to show again. */
export type RefusedHere = {
  fields: Readonly<Record<string, string>>;
  sent: Readonly<Record<string, string>>;
  problem: string | null;
};

/**
 * Makes the action of a page: the role, the path, the body, then the act. What is wrong with the form comes back on the page
 * itself (422, or the status of the refusal); below the role, and for what does not exist, there is the page of the problem.
 * Programs get the fields of the error, or `{ok: true, location}`.
 */
export function pageAction<const P extends Schema = undefined, const B extends z.ZodType = z.ZodType>(
  options: { allow: Role; params?: P; body: B; DELETE?: (call: Call<P, undefined>) => Promise<Onward> },
  run: (call: Call<P, z.output<B>>) => Promise<Onward>,
) {
  const methods: HttpMethod[] = options.DELETE ? ["POST", "DELETE"] : ["POST"];
  const action = async ({ request, params, context }: Given) => {
    let sent: Readonly<Record<string, unknown>> = {};
    let language = "en" as Parameters<typeof inLanguage>[1];
    try {
      requireMethod(request, methods);
      const actor = requireRole(context, options.allow);
      language = actor.language as typeof language;
      const call = {
        actor,
        params: (options.params && path(options.params, params)) as Out<P>,
        sent,
        request,
        context,
      };
      sent = await readFields(request);
      const deletes = request.method === "DELETE" && options.DELETE;
      const read = closed(deletes ? NO_FIELDS : options.body).safeParse(sent);
      if (!read.success) {
        if (wantsJson(request)) throw problemOf(read.error, "body");
        return refused(inWords(fieldProblems(read.error, sent), language), sent, null, 422);
      }
      if (deletes) return onward(request, await deletes({ ...call, body: undefined }));
      return onward(request, await run({ ...call, sent, body: read.data as z.output<B> }));
    } catch (problem) {
      if (!(problem instanceof AppError)) throw problem;
      const { status, param, humanMessage } = problem;
      if (problem.code === "authentication_required" && actorOf(context) !== null && !wantsJson(request))
        return redirectWith(confirmPage(cameFrom(request, "/dashboard/admin")), []);
      const belongsToTheForm =
        (status === 409 || status === 422 || status === 400 || param !== null) && !wantsJson(request);
      if (!belongsToTheForm || problem instanceof ValidationProblem) throw bodyOf(problem);
      const words = inLanguage(humanMessage, language);
      return refused(param === null ? {} : { [param]: words }, sent, param === null ? words : null, status);
    }
  };
  return declared(action, { methods, allow: options.allow, params: options.params, body: { POST: options.body } });
}

const refused = (
  fields: RefusedHere["fields"],
  sent: Readonly<Record<string, unknown>>,
  problem: string | null,
  status: number,
) => data({ form: { fields, sent: fieldsToFillIn(sent), problem } satisfies RefusedHere }, { status });

function onward(request: Request, { to, toast, cookies = [], answer }: Onward): Response {
  if (answer !== undefined && wantsJson(request)) return Response.json({ location: to, ...answer });
  const shown: Toast = typeof toast === "string" ? { kind: "good", text: toast } : toast;
  return redirectWith(to, [...cookies, flashCookie("toast", shown)]);
}

const bodyOf = (problem: AppError): Response =>
  portalErrorResponse(problem, problem instanceof ValidationProblem ? { detail: problem.detail } : undefined);

const inWords = (fields: Readonly<Record<string, string>>, language: Parameters<typeof inLanguage>[1]) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, inLanguage(text, language)]));

function path(schema: z.ZodType, params: unknown): unknown {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  const problem = problemOf(read.error, "path");
  throw new ValidationProblem(problem.detail.map((detail) => ({ ...detail, loc: detail.loc.map(snakeCase) })));
}

const snakeCase = (part: string | number) =>
  typeof part === "number" ? part : part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
