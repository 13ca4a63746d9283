import { expect, test } from "vitest";
import { z } from "zod";
import { problemOf } from "~/http/validation-problem";
import { apiError } from "./app-error";
import { issueWords } from "./issue-words";
import { problemWords } from "./problem-words.server";

test("a problem is told by its own sentence, else by the one of its code, in every language", () => {
  const own = apiError("conflict", { key: "problems:emailTaken" });
  expect(problemWords(own, "fr")).toBe(
    "Un compte existe déjà avec cette adresse e-mail. Connectez-vous ou utilisez une autre adresse.",
  );
  expect(problemWords(apiError("weak_password"), "es")).toContain("contraseña");
  expect(problemWords(apiError("invalid_request", { userMessage: "The form has no boundary." }), "de")).not.toContain(
    "boundary",
  );
});

test("values that do not hold are told by the first of them; programs read its place too, in English", () => {
  const read = z.object({ amount: z.string() }).safeParse({}, { error: issueWords });
  const problem = problemOf(read.error!, "body");
  expect(problemWords(problem, "de")).toBe("Füllen Sie dieses Feld aus.");
  expect(problem.humanMessage).toBe("amount: Fill in this field.");
});

test("amounts in a sentence are written as its language writes them, whatever carried them", () => {
  const problem = apiError("forbidden", { key: "problems:creditCeiling", values: { amount: "7000000000" } });
  expect(problemWords(problem, "en")).toContain("$7.00,");
  expect(problemWords(problem, "de")).toMatch(/7,00\s\$ /);
  expect(problem.humanMessage).toContain("$7.00,");
});
