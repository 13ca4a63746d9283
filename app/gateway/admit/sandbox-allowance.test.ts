import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { aRoute, aSupplier } from "~/domain/routing/__fixtures__/routes";
import type { AllowedRoutes } from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { countFreeSandbox, isFreeSandbox } from "./sandbox-allowance";

const settings = (free: string) => setConfig(readConfig({ GW_SANDBOX_FREE_RPM: free, DATA_DIR: "." }));
beforeEach(() => settings("2"));
afterAll(() => setConfig(readConfig({})));

const sandbox = () => aRoute({ supplier: aSupplier({ kind: "sandbox", name: "any-name" }) });
const paid = (name = "sandbox") => aRoute({ supplier: aSupplier({ kind: "chat", name }) });
const plan = (...routes: ReturnType<typeof aRoute>[]) => ({ routes: routes as unknown as AllowedRoutes });
const charged = { exempt: false };

describe("a call is free of charge", () => {
  test("when it can reach nothing but sandboxes, whatever they are called and cost", () => {
    expect(isFreeSandbox(charged, plan(sandbox()))).toBe(true);
    expect(isFreeSandbox(charged, plan(sandbox(), sandbox()))).toBe(true);
  });

  test("and not when any of its routes leads elsewhere, first or last, or only the name says so", () => {
    expect(isFreeSandbox(charged, plan(paid()))).toBe(false);
    expect(isFreeSandbox(charged, plan(sandbox(), paid()))).toBe(false);
    expect(isFreeSandbox(charged, plan(paid(), sandbox()))).toBe(false);
  });

  test("and not where the operator charges for sandboxes, nor of the allowance of a payer who is never charged", () => {
    expect(isFreeSandbox({ exempt: true }, plan(sandbox()))).toBe(false);
    settings("0");
    expect(isFreeSandbox(charged, plan(sandbox()))).toBe(false);
  });
});

test("an organisation has so many a minute in all, and is told when there is room again", () => {
  const giveBack = countFreeSandbox({ organisationId: 71 });
  countFreeSandbox({ organisationId: 71 });
  const refused = () => {
    try {
      countFreeSandbox({ organisationId: 71 });
    } catch (error) {
      return error as AppError;
    }
    return null;
  };
  const problem = refused();
  expect(problem).toBeInstanceOf(AppError);
  expect(problem).toMatchObject({ code: "rate_limit_exceeded", status: 429 });
  expect(problem?.retryAfterSeconds).toBeGreaterThan(0);
  expect(problem?.retryAfterSeconds).toBeLessThanOrEqual(61);
  countFreeSandbox({ organisationId: 72 });
  giveBack();
  expect(refused()).toBeNull();
});
