import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsToFillIn, parseForm } from "./parse-form";

const Form = z.object({ email: z.email("Not an address."), password: z.string().min(3, "Too short.") });
const post = (body: BodyInit, type?: string) =>
  new Request("http://localhost/", { method: "POST", body, headers: type ? { "content-type": type } : {} });

test("a browser's form and a JSON object are read the same way", async () => {
  const value = { email: "ada@example.com", password: "abc" };
  for (const request of [post(new URLSearchParams(value)), post(JSON.stringify(value), "application/json")]) {
    expect(await parseForm(request, Form)).toEqual({ ok: true, value, sent: { email: value.email } });
  }
});

test("what is wrong is said by field, and a password is never sent back", async () => {
  const form = await parseForm(post(new URLSearchParams({ email: "x", password: "a", more: "1" })), Form);
  expect(form).toEqual({
    ok: false,
    fields: { email: "Not an address.", password: "Too short.", more: "problems:noSuchField" },
    sent: { email: "x", more: "1" },
  });
});

test("missing and repeated fields, files and nested values do no harm", async () => {
  const file = new FormData();
  file.set("email", new Blob(["x"]), "x.txt");
  expect(await parseForm(post(file), Form)).toMatchObject({
    ok: false,
    fields: { email: "problems:fillIn", password: "problems:fillIn" },
  });
  const nested = await parseForm(post('{"email":{"$gt":""},"__proto__":{"password":"abc"}}', "application/json"), Form);
  expect(nested).toMatchObject({ ok: false, sent: {} });
});

test.each([
  ["{", "application/json", "invalid_json"],
  ["[]", "application/json", "invalid_request"],
  ["null", "application/json", "invalid_request"],
  ["email=x", "text/plain", "unsupported_media_type"],
  ["x", "multipart/form-data", "invalid_request"],
])("%j as %s is %s", async (body, type, code) => {
  await expect(parseForm(post(body, type), Form)).rejects.toMatchObject({ code });
});

test("numbers of tokens are filled in again, and no token is", () => {
  const given = { context_tokens: "128000", max_tokens: "x", token: "t", reset_token: "t", client_secret: "s" };
  expect(fieldsToFillIn(given)).toEqual({ context_tokens: "128000", max_tokens: "x" });
});
