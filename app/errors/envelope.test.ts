import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError, apiError, toAppError } from "./app-error";
import { CATALOGUE_ENTRIES } from "./catalogue";
import {
  errorEnvelope,
  formatMessage,
  gatewayErrorResponse,
  methodNotAllowedResponse,
  portalErrorBody,
  portalErrorResponse,
  splitFormatted,
} from "./envelope";

describe("the envelope", () => {
  test("carries code, type, message and human message, and nothing else", async () => {
    const response = gatewayErrorResponse(apiError("model_not_allowed"));
    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toBe("application/json");
    const userMessage = "This key may not use that model. Use one from the key's list, or have the model added to it.";
    expect(await response.json()).toEqual({
      error: {
        code: "model_not_allowed",
        type: "permission_error",
        message: `model_not_allowed - ${userMessage}`,
        human_message: userMessage,
      },
    });
  });

  test("names the field at fault when there is one", () => {
    expect(errorEnvelope(apiError("invalid_input", { param: "messages[0]" })).error.param).toBe("messages[0]");
  });

  test("has what libraries of the messages style read", () => {
    expect(errorEnvelope(apiError("idempotency_conflict"), "messages")).toMatchObject({
      type: "error",
      error: { code: "idempotency_conflict", type: "invalid_request_error" },
    });
    expect(errorEnvelope(apiError("upstream_error", { supplierType: "weird" }), "messages").error.type).toBe(
      "api_error",
    );
  });

  test("tells what a supplier adds to clients of the messages style alone, and gw's own details to all", () => {
    const told = apiError("upstream_error", { supplierDetails: { error_code: "thread_unsupported_request" } });
    expect(errorEnvelope(told, "messages").error.details).toEqual({ error_code: "thread_unsupported_request" });
    expect(errorEnvelope(told, "chat").error).not.toHaveProperty("details");
    const own = apiError("budget_exceeded", { details: { scope: "key" }, supplierDetails: { error_code: "other" } });
    for (const dialect of ["chat", "messages"] as const)
      expect(errorEnvelope(own, dialect).error.details).toEqual({ scope: "key" });
  });

  test("says nothing about a thing that was not meant for the client", async () => {
    for (const problem of [new Error("password=hunter2"), "secret", null, undefined, { code: "x" }, 42]) {
      const response = gatewayErrorResponse(problem);
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(JSON.parse(text).error.code).toBe("internal_error");
      expect(text).not.toMatch(/hunter2|secret/);
    }
  });

  test("never sends what is meant for the log", async () => {
    const error = apiError("invalid_api_key", { about: { keyId: 4711 }, cause: new Error("row 4711") });
    expect(await gatewayErrorResponse(error).text()).not.toContain("4711");
  });
});

describe("retry headers", () => {
  test("429 and 503 always carry whole seconds", () => {
    for (const { code } of CATALOGUE_ENTRIES) {
      for (const status of [undefined, 429, 503]) {
        const response = gatewayErrorResponse(apiError(code as "not_found", { status }));
        if (![429, 503].includes(response.status)) continue;
        expect(response.headers.get("retry-after"), code).toMatch(/^\d+$/);
      }
    }
  });

  test.each([
    [0.2, "1"],
    [-5, "0"],
    [7, "7"],
    [1e12, String(31 * 24 * 3600)],
    [Number.NaN, "10"],
  ])("a Retry-After of %s is sent as %s", (asked, sent) => {
    const response = gatewayErrorResponse(apiError("rate_limit_exceeded", { retryAfterSeconds: asked }));
    expect(response.headers.get("retry-after")).toBe(sent);
  });

  test("a request that may have been executed is marked as not to be repeated", () => {
    const shouldRetry = (error: AppError) => gatewayErrorResponse(error).headers.get("x-should-retry");
    expect(shouldRetry(apiError("supplier_settlement_failed"))).toBe("false");
    expect(shouldRetry(apiError("upstream_timeout", { doNotRepeat: true }))).toBe("false");
    expect(shouldRetry(apiError("upstream_timeout"))).toBeNull();
  });
});

describe("texts from outside", () => {
  test("a supplier's code is what the client reads", () => {
    const error = apiError("request_rejected", {
      supplierCode: "insufficient_quota",
      userMessage: "No credit.",
      status: 429,
    });
    expect(errorEnvelope(error).error).toEqual({
      code: "insufficient_quota",
      type: "rate_limit_error",
      message: "insufficient_quota - No credit.",
      human_message: "No credit.",
    });
    expect(error.catalogueCode).toBe("request_rejected");
  });

  test("an HTML page is never a message", () => {
    const error = apiError("upstream_error", { userMessage: "<html><body>502</body></html>" });
    expect(error.humanMessage).toBe(apiError("upstream_error").humanMessage);
  });

  test("control characters and length are bounded, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), (text) => {
        const { code, human_message } = errorEnvelope(
          apiError("upstream_error", { userMessage: text, supplierCode: text }),
        ).error;
        expect(human_message).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(human_message.length).toBeLessThanOrEqual(1_000);
        expect(code).toMatch(/^[A-Za-z0-9_.:/-]{1,100}$/);
      }),
    );
  });

  test("an impossible status is ignored", () => {
    for (const status of [0, 200, 302, 600, 404.5, Number.NaN])
      expect(apiError("not_found", { status }).status).toBe(404);
  });
});

describe("formatted messages", () => {
  test("what was formatted splits into the same parts", () => {
    const code = fc.oneof(
      fc.constantFrom(...CATALOGUE_ENTRIES.map((entry) => entry.code)),
      fc.stringMatching(/^[a-z]{2,9}(_[a-z0-9]{1,9}){1,4}$/),
      fc.stringMatching(/^([A-Z][a-z]{1,9}){2,4}$/),
      fc.integer({ min: -99_999, max: -1 }).map(String),
    );
    fc.assert(
      fc.property(code, fc.string(), (code, humanMessage) => {
        expect(splitFormatted(formatMessage(code, humanMessage))).toEqual({ code, humanMessage });
      }),
    );
  });

  test("only the first separator counts", () => {
    expect(splitFormatted("not_found - a - b")).toEqual({ code: "not_found", humanMessage: "a - b" });
  });

  test.each([
    "Sorry - try again",
    "Something went wrong - badly",
    "not_found",
    "not_found-gone",
    "not_found  - gone",
    " - gone",
    "__proto__ - x",
    "404 - gone",
    "",
  ])("%j stays whole", (message) => {
    expect(splitFormatted(message)).toEqual({ code: null, humanMessage: message });
  });

  test("a very long prefix is refused in no time", () => {
    const started = performance.now();
    splitFormatted(`${"a_".repeat(500_000)} - x`);
    expect(performance.now() - started).toBeLessThan(100);
  });
});

describe("the portal's bodies", () => {
  test("keep their own fields and add the three", () => {
    const detail = [{ loc: ["body", "email"], msg: "Enter an email address.", type: "missing" }];
    expect(portalErrorBody(apiError("validation_error"), { detail })).toEqual({
      detail,
      code: "validation_error",
      message: "validation_error - Some values are not valid. Correct the fields that are named.",
      human_message: "Some values are not valid. Correct the fields that are named.",
    });
  });

  test("an own field can never replace the code", async () => {
    expect(await portalErrorResponse(apiError("not_found"), { code: "ok" }).json()).toMatchObject({
      code: "not_found",
    });
  });
});

test("a refused method says which ones are taken", () => {
  const response = methodNotAllowedResponse(["GET", "PATCH"]);
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, PATCH"]);
});

test("an AppError stays itself", () => {
  const error = apiError("conflict");
  expect(toAppError(error)).toBe(error);
  expect(error).toBeInstanceOf(AppError);
});
