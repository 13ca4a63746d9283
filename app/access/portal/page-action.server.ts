import { data } from "react-router";
import type { z } from "zod";
import { AppError } from "~/errors/app-error";
import { problemWords } from "~/errors/problem-words.server";
import { declared, type HttpMethod } from "~/http/declaration";
import { fieldsToFillIn } from "~/http/parse-form";
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

/** Where a page's form leads when it worked, and what that page then says or keeps. */
export type Onward = {
  to: string;
  toast?: string | Toast;
  cookies?: readonly string[];
  /** Set-Cookie headers that programs get too. */
  lasting?: readonly string[];
  /** What a program is told besides `location`. */
  answer?: Readonly<Record<string, unknown>>;
};

/** A form that was refused, for its page to show again: what is wrong with fields, what had been sent, and the whole. */
export type RefusedHere = {
  fields: Readonly<Record<string, string>>;
  sent: Readonly<Record<string, string>>;
  problem: string | null;
};

/**
 * Makes the action of a page. What is wrong with the form comes back on the page itself (422, or the status of the refusal),
 * in the reader's language; for who may not, and for what does not exist, there is the page of the problem. Somebody who has
 * to prove who they are first is sent to do so and finds the form filled in again. Programs get the fields of the error, or
 * `{ok: true, location, …answer}`.
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
      refuse: (problem, sent) => refusedHere(problem, sent, { ...given, methods }),
    });
  return declared(action, { methods, allow, params, body: { POST: body } });
}

/**
 * The same for a form whose answer its page shows at once, and which is kept nowhere: `answer` is then beside an empty `form`.
 * Programs get `{ok, …answer}`.
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
      refuse: (problem, sent) => refusedHere(problem, sent, { ...given, methods }),
    });
  return declared(action, { methods, allow, params, body: { POST: body } });
}

function refusedHere(
  problem: unknown,
  sent: Readonly<Record<string, unknown>>,
  { request, url, context, methods }: Given & { methods: readonly HttpMethod[] },
) {
  if (!(problem instanceof AppError)) throw problem;
  if (wantsJson(request)) {
    context.set(problemContext, problem);
    throw problemResponse(problem, methods);
  }
  // Whoever may go on and still has to authenticate lacks a recent proof of who they are.
  const actor = actorOf(context);
  if (problem.code === "authentication_required" && actor !== null) {
    const to = confirmPage(cameFrom(request, url.pathname));
    return heldBack({ request, url, userId: actor.userId, sent, to });
  }
  if (!isAboutTheForm(problem)) throw problemPage(problem, context, methods);
  const language = languageOf(context);
  const fields = problemsByField(problem, language);
  const whole = problem instanceof ValidationError || problem.param !== null;
  return refused(
    { fields, sent: fieldsToFillIn(sent), problem: whole ? null : problemWords(problem, language) },
    problem.status,
  );
}

function isAboutTheForm(problem: AppError): boolean {
  if (problem instanceof ValidationError) return problem.issues.every(({ loc }) => loc[0] === "body");
  return ABOUT_THE_FORM.has(problem.status) || problem.param !== null;
}

/** Too many attempts too: whoever has to wait finds the form again. */
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
