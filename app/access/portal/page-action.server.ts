import { data } from "react-router";
import type { z } from "zod";
import { AppError } from "~/errors/app-error";
import { errorMessage } from "~/errors/problem-words.server";
import { fieldsToFillIn } from "~/http/body/parse-form";
import { declared, type HttpMethod } from "~/http/declaration";
import { ValidationError } from "~/http/validation-problem";
import { actorOf } from "../actor.server";
import { flashCookie, redirectWith, type Toast } from "../flash.server";
import { heldBack } from "../held-back.server";
import { languageOf } from "../language.server";
import { cameFrom } from "../safe-next";
import { confirmPage } from "../signed-in.server";
import { wantsJson } from "../wants-json";
import { problemsByField } from "./answer-to-problem.server";
import {
  type Allow,
  type Call,
  type Given,
  type Out,
  problemPage,
  problemResponse,
  type Schema,
  throughDoor,
} from "./door.server";
import { problemContext } from "./page-loader.server";

/** Redirect after a successful form of a page, with the message and cookies for the target. */
export type Onward = {
  to: string;
  toast?: string | Toast;
  cookies?: readonly string[];
  /** Set-Cookie headers for browsers and programs. */
  lasting?: readonly string[];
  /** Fields for programs besides `location`. */
  answer?: Readonly<Record<string, unknown>>;
};

/**
 * A rejected form that its page shows again: messages by field, the values sent, and the message about the whole form.
 */
export type RefusedHere = {
  fields: Readonly<Record<string, string>>;
  sent: Readonly<Record<string, string>>;
  problem: string | null;
};

/**
 * Creates the action of a page. The page itself shows errors of the form (422, or the status of the error) in the
 * reader's language; a forbidden or missing resource leads to the error page. A person who must first confirm their
 * identity is redirected, and gets the form back filled in. Programs get the fields of the error, or `{ok: true,
 * location, …answer}`.
 */
export function pageAction<const A extends Allow, B extends z.ZodType, const P extends Schema = undefined>(
  options: {
    allow: A;
    params?: P;
    body: B;
    DELETE?: (call: Call<A, Out<P>, undefined, undefined>) => Onward | Promise<Onward>;
  },
  run: (call: Call<A, Out<P>, undefined, z.output<B>>) => Onward | Promise<Onward>,
) {
  const { allow, params, body, DELETE } = options;
  const methods: HttpMethod[] = DELETE ? ["POST", "DELETE"] : ["POST"];
  type Answer = Response | ReturnType<typeof refused>;
  const action = (given: Given): Promise<Answer> =>
    throughDoor<Answer>({ allow, methods, params, bodies: { POST: body } }, given, {
      run: async (call) => {
        const act = (call.method === "DELETE" ? DELETE : run) as (call: unknown) => Onward | Promise<Onward>;
        return onward(given.request, await act(call));
      },
      refuse: (error, sent) => refusedHere(error, sent, { ...given, methods }),
    });
  return declared(action, { methods, allow, params, body: { POST: body } });
}

/**
 * The same for a form whose result its page shows at once, without storing it: the action data have `answer` and an
 * empty `form`. Programs get `{ok, …answer}`.
 */
export function pageAnswer<
  const A extends Allow,
  B extends z.ZodType,
  T extends object,
  const P extends Schema = undefined,
>(
  { allow, params, body }: { allow: A; params?: P; body: B },
  run: (call: Call<A, Out<P>, undefined, z.output<B>>) => Promise<T>,
) {
  type Refused = Awaited<ReturnType<typeof refusedHere>>;
  const methods: HttpMethod[] = ["POST"];
  const door = { allow, methods, params, bodies: { POST: body } };
  const action = (given: Given) =>
    throughDoor<Response | Refused | { form: null; answer: T }>(door, given, {
      run: async (call) => {
        const answer = await run(call as Parameters<typeof run>[0]);
        return wantsJson(given.request) ? Response.json({ ok: true, ...answer }) : { form: null, answer };
      },
      refuse: (error, sent) => refusedHere(error, sent, { ...given, methods }),
    });
  return declared(action, { methods, allow, params, body: { POST: body } });
}

function refusedHere(
  error: unknown,
  sent: Readonly<Record<string, unknown>>,
  { request, url, context, methods }: Given & { methods: readonly HttpMethod[] },
) {
  if (!(error instanceof AppError)) throw error;
  if (wantsJson(request)) {
    context.set(problemContext, error);
    throw problemResponse(error, methods);
  }
  // An actor who must still authenticate lacks a recent proof of identity.
  const actor = actorOf(context);
  if (error.code === "authentication_required" && actor !== null) {
    const to = confirmPage(cameFrom(request, url.pathname));
    return heldBack({ request, url, userId: actor.userId, sent, to });
  }
  if (!isAboutTheForm(error)) throw problemPage(error, context, methods);
  const language = languageOf(context);
  const fields = problemsByField(error, language);
  const isAboutFields = error instanceof ValidationError || error.param !== null;
  return refused(
    { fields, sent: fieldsToFillIn(sent), problem: isAboutFields ? null : errorMessage(error, language) },
    error.status,
  );
}

function isAboutTheForm(error: AppError): boolean {
  if (error instanceof ValidationError) return error.issues.every(({ loc }) => loc[0] === "body");
  return ABOUT_THE_FORM.has(error.status) || error.param !== null;
}

/** Statuses of errors that the form's page shows; also 429, so that the form is retained while the person waits. */
const ABOUT_THE_FORM: ReadonlySet<number> = new Set([400, 409, 422, 429]);

const refused = (form: RefusedHere, status: number) => data({ form }, { status });

function onward(request: Request, { to, toast, cookies = [], lasting = [], answer }: Onward): Response {
  if (answer !== undefined && wantsJson(request)) {
    const headers = lasting.map((cookie): [string, string] => ["set-cookie", cookie]);
    return Response.json({ location: to, ...answer }, { headers });
  }
  const shown: Toast | undefined = typeof toast === "string" ? { kind: "good", text: toast } : toast;
  const all = [...cookies, ...lasting];
  return redirectWith(to, shown === undefined ? all : [...all, flashCookie("toast", shown)]);
}
