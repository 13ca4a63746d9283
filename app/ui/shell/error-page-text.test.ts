import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { i18nFor } from "~/i18n/server.server";
import { problemOf } from "./error-page-text";

const t = i18nFor("en").getFixedT("en", "ui");

test("our own refusal speaks for itself, parsed or not", () => {
  const body = {
    code: "csrf_rejected",
    human_message: "Reload the page.",
    message: "csrf_rejected - Reload the page.",
  };
  for (const data of [body, JSON.stringify(body)]) {
    expect(problemOf(new ErrorResponse(403, "", data), t)).toMatchObject({
      status: 403,
      code: "csrf_rejected",
      text: "Reload the page.",
    });
  }
});

test("a wrong value in the path is no page, and one in the query is named", () => {
  const body = {
    ...{ code: "validation_error", human_message: "Enter a whole number." },
    detail: [{ loc: ["query", "key_id"], msg: "Enter a whole number", type: "int_parsing" }],
  };
  expect(problemOf(new ErrorResponse(422, "", body), t)).toEqual({
    ...{ status: 422, code: "validation_error" },
    ...{ title: "This address isn’t valid", text: "key_id: Enter a whole number." },
  });
  const inPath = { ...body, detail: [{ ...body.detail[0], loc: ["path", "key_id"] }] };
  expect(problemOf(new ErrorResponse(422, "", inPath), t)).toMatchObject({ status: 422, title: "Page not found" });
  const inForm = { ...body, detail: [{ ...body.detail[0], loc: ["body", "name"] }] };
  expect(problemOf(new ErrorResponse(422, "", inForm), t)).toMatchObject({ text: "Enter a whole number." });
});

test("of anything else only the status shows", () => {
  const leaking = new Error("relation secret_table does not exist");
  expect(JSON.stringify(problemOf(leaking, t))).not.toContain("secret");
  expect(problemOf(leaking, t).status).toBe(500);
  expect(JSON.stringify(problemOf(new ErrorResponse(502, "x", "<html>secret"), t))).not.toContain("secret");
  expect(problemOf(new ErrorResponse(404, "", null), t)).toMatchObject({
    status: 404,
    title: "Page not found",
  });
});

test("a page of an error speaks the reader's language", () => {
  const german = i18nFor("de").getFixedT("de", "ui");
  expect(problemOf(new ErrorResponse(404, "", null), german).title).toBe("Seite nicht gefunden");
  expect(problemOf(new Error("x"), german).title).toBe("Etwas ist schiefgelaufen");
  expect(problemOf(new ErrorResponse(403, "", { code: "csrf_rejected", human_message: "x" }), german).title).toBe(
    "Anfrage blockiert (fremde Herkunft)",
  );
});
