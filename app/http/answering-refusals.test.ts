import type { ServerBuild } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { apiError } from "~/errors/app-error";
import { setLogLevel } from "~/observe/log.server";
import { answeringApiErrors } from "./answering-refusals";

beforeAll(() => setLogLevel("silent"));

type Step = (args: unknown, next: () => Promise<Response>) => Promise<unknown>;
type Module = { loader: Step; action: Step; middleware: Step[] };

const away = Object.assign(new Error("no connection"), { code: "P1001" });
const fails = (error: Error) => () => Promise.reject(error);

/** The loader, action and middleware of one route, which all run the same step. */
function stepsOf(step: Step): Step[] {
  const module = { loader: step, action: step, middleware: [step] };
  const build = answeringApiErrors({ routes: { page: { module } } } as unknown as ServerBuild);
  const { loader, action, middleware } = build.routes.page!.module as unknown as Module;
  return [loader, action, ...middleware];
}

const answerOf = async (step: Step) => {
  const answer = await step({}, async () => new Response()).catch((thrown: unknown) => thrown);
  return answer instanceof Response ? { status: answer.status, body: (await answer.json()) as unknown } : answer;
};

test("a refusal is its answer, wherever it is thrown", async () => {
  for (const step of stepsOf(fails(apiError("forbidden"))))
    expect(await answerOf(step)).toMatchObject({ status: 403, body: { code: "forbidden" } });
});

test("a database that is away is no failure of the page", async () => {
  for (const step of stepsOf(fails(away)))
    expect(await answerOf(step)).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
});

test("anything else stays what it is", async () => {
  const broken = new Error("broken");
  for (const step of stepsOf(fails(broken))) expect(await answerOf(step)).toBe(broken);
});

test("a middleware gets what it has to call", async () => {
  const [, , middleware] = stepsOf((_args, next) => next());
  expect(await middleware!({}, async () => new Response("on"))).toBeInstanceOf(Response);
});
