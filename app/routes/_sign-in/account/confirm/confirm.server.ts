import { createContext, data, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { requireActor } from "~/access/actor.server";
import { flashCookie, type RefusedForm, redirectWith } from "~/access/flash.server";
import { languageOf } from "~/access/language.server";
import { safeNext } from "~/access/safe-next";
import { sessionCookie } from "~/access/session-cookie";
import { wantsJson } from "~/access/wants-json";
import { db } from "~/db.server";
import { proveAgain } from "~/domain/identity/index.server";
import { TypedPasswordField } from "~/domain/identity/shared";
import { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { issueWords } from "~/errors/issue-words";
import { problemWords } from "~/errors/problem-words.server";
import { sayText } from "~/errors/say.server";
import { closed } from "~/http/closed-schema";
import { declared } from "~/http/declaration";
import { fieldErrors } from "~/http/parse-form";
import { readFields } from "~/http/read-fields";
import { requireMethod } from "~/http/require-method";
import { problemOf, ValidationError } from "~/http/validation-problem";
import { requirePasswords } from "../../flow/policy.server";

const ConfirmForm = z.object({ password: TypedPasswordField, next: z.string().max(2_000).optional() });

/** What was wrong with a confirmation. */
const problemContext = createContext<AppError | null>(null);

/** Answers programs with the problem itself: a page would leave out its headers, such as when another attempt is taken. */
export const problemsAsJson: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const response = await next();
  const problem = context.get(problemContext);
  return problem !== null && wantsJson(request) ? answerOf(problem) : response;
};

type Given = { request: Request; context: Readonly<RouterContextProvider> };

/** Takes the password of whoever is signed in as a proof that it is them, and leads on to the page they came from. */
export const confirmByPassword = declared(
  async ({ request, context }: Given) => {
    try {
      requireMethod(request);
      const actor = requireActor(context);
      requirePasswords();
      const sent = await readFields(request);
      const read = closed(ConfirmForm).safeParse(sent, { error: issueWords });
      if (!read.success) {
        if (wantsJson(request)) throw problemOf(read.error, "body");
        return refused(context, { code: "validation_error", fields: fieldErrors(read.error, sent) }, 422);
      }
      const { token } = await proveAgain(db(), actor, read.data.password);
      const toast = flashCookie("toast", { kind: "good", text: "signIn:confirm.done" });
      return redirectWith(safeNext(read.data.next, "/dashboard"), [sessionCookie(token), toast]);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.set(problemContext, error);
      if (wantsJson(request)) throw answerOf(error);
      const { code, param, status } = error;
      const message = problemWords(error, languageOf(context));
      return refused(context, { code, message, fields: param === null ? {} : { [param]: message } }, status);
    }
  },
  { methods: ["POST"], allow: "signed-in", body: { POST: ConfirmForm } },
);

const answerOf = (problem: AppError): Response =>
  portalErrorResponse(problem, problem instanceof ValidationError ? { detail: problem.detail } : undefined);

function refused(
  context: Given["context"],
  { code, message = "", fields }: Pick<RefusedForm, "code" | "fields"> & { message?: string },
  status: number,
) {
  const words = (text: string) => sayText(text, languageOf(context));
  const told = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, words(text)]));
  return data({ form: { code, message: words(message), fields: told } }, { status });
}
