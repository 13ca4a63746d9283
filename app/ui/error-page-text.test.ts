import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { problemOf } from "./error-page-text";

test("our own refusal speaks for itself, parsed or not", () => {
  const body = {
    code: "csrf_rejected",
    human_message: "Reload the page.",
    message: "csrf_rejected - Reload the page.",
  };
  for (const data of [body, JSON.stringify(body)]) {
    expect(problemOf(new ErrorResponse(403, "", data))).toMatchObject({
      status: 403,
      code: "csrf_rejected",
      text: "Reload the page.",
    });
  }
});

test("of anything else only the status shows", () => {
  const leaking = new Error("relation secret_table does not exist");
  expect(JSON.stringify(problemOf(leaking))).not.toContain("secret");
  expect(problemOf(leaking).status).toBe(500);
  expect(JSON.stringify(problemOf(new ErrorResponse(502, "x", "<html>secret")))).not.toContain("secret");
  expect(problemOf(new ErrorResponse(404, "", null))).toMatchObject({
    status: 404,
    title: "Page not found",
  });
});
