import { expect, test } from "vitest";
import type { AttemptRecord } from "~/domain/accounting/shared";
import type { RoutingRecord } from "~/domain/routing/shared";
import { shownRoutes } from "./shown-routes";

const lane = (supplier: string, outcome?: string) => ({ supplier, region: "eu", model: "m", health: 1, outcome });
const attempt = (supplier: string, outcome: AttemptRecord["outcome"]): AttemptRecord => ({
  ...{ supplier, region: "eu", upstreamModel: "m", startedMs: 0, endedMs: 1, outcome, status: null, code: null },
});
const request = {
  routing: {
    lanes: [lane("one", "not_executed"), lane("two", "delivered"), lane("three")],
    excluded: [{ supplier: "four", region: "us", upstreamModel: "m", why: "region" }],
  } as unknown as RoutingRecord,
  attemptList: [attempt("one", "not_executed"), attempt("two", "delivered")],
};
const names = (shown: "all" | "tried" | "served") => {
  const { routing, attemptList } = shownRoutes(request, shown);
  return {
    lanes: routing?.lanes.map(({ supplier }) => supplier),
    excluded: routing?.excluded?.length,
    attempts: attemptList.map(({ supplier }) => supplier),
  };
};

test("a customer sees as many suppliers of a request as the operator chose", () => {
  expect(names("all")).toEqual({ lanes: ["one", "two", "three"], excluded: 1, attempts: ["one", "two"] });
  expect(names("tried")).toEqual({ lanes: ["one", "two"], excluded: 0, attempts: ["one", "two"] });
  expect(names("served")).toEqual({ lanes: ["two"], excluded: 0, attempts: ["", "two"] });
});
