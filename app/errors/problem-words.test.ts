import { expect, test } from "vitest";
import { z } from "zod";
import { problemOf } from "~/http/validation-problem";
import { apiError } from "./app-error";
import { issueMessage } from "./issue-words";
import { errorMessage } from "./problem-words.server";

test("a problem is told by its own sentence, else by the one of its code, in every language", () => {
  const own = apiError("conflict", { key: "problems:emailTaken" });
  expect(errorMessage(own, "fr")).toBe(
    "Un compte existe déjà avec cette adresse e-mail. Connectez-vous ou utilisez une autre adresse.",
  );
  expect(errorMessage(apiError("weak_password"), "es")).toContain("contraseña");
  expect(errorMessage(apiError("invalid_request", { userMessage: "The form has no boundary." }), "de")).not.toContain(
    "boundary",
  );
});

test("values that do not hold are told by the first of them; programs read its place too, in English", () => {
  const read = z.object({ amount: z.string() }).safeParse({}, { error: issueMessage });
  const problem = problemOf(read.error!, "body");
  expect(errorMessage(problem, "de")).toBe("Füllen Sie dieses Feld aus.");
  expect(problem.humanMessage).toBe("amount: Fill in this field.");
});

test("amounts in a sentence are written as its language writes them, whatever carried them", () => {
  const error = apiError("forbidden", { key: "problems:creditCeiling", values: { amount: "7000000000" } });
  expect(errorMessage(error, "en")).toContain("$7.00,");
  expect(errorMessage(error, "de")).toMatch(/7,00\s\$ /);
  expect(error.humanMessage).toContain("$7.00,");
});
