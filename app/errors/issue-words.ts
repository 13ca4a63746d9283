import type { z } from "zod";
import { issue } from "./message";

type Raw = Parameters<z.core.$ZodErrorMap>[0];

/**
 * Returns the message of a value that a schema rejects without its own message. This is the error map of all schemas
 * whose errors people read; a schema's own message takes precedence.
 */
export function issueMessage(raw: Raw): string {
  switch (raw.code) {
    case "invalid_type":
      return ofType(raw);
    case "too_small":
      return tooSmall(raw);
    case "too_big":
      return tooBig(raw);
    case "invalid_format":
      return ofFormat(raw.format);
    case "invalid_value":
      return nothingIn(raw.input) ? issue("problems:choose") : issue("problems:notOffered");
    case "invalid_union":
      return nothingIn(raw.input) ? issue("problems:fillIn") : issue("problems:notValid");
    case "unrecognized_keys":
      return issue("problems:noSuchField");
    case "not_multiple_of":
      return issue("problems:multipleOf", { divisor: Number(raw.divisor) });
    default:
      return issue("problems:notValid");
  }
}

const nothingIn = (input: unknown): boolean => input === undefined || input === null || input === "";

function ofType({ input, expected }: Raw & { code: "invalid_type" }): string {
  if (nothingIn(input)) return issue("problems:fillIn");
  if (expected === "number" || expected === "bigint") return issue("problems:number");
  if (expected === "int") return issue("problems:wholeNumber");
  if (expected === "string") return issue("problems:text");
  if (expected === "array" || expected === "set") return issue("problems:list");
  if (expected === "boolean") return issue("problems:yesOrNo");
  return expected === "date" ? issue("problems:moment") : issue("problems:notValid");
}

function tooSmall({ origin, minimum, inclusive }: Raw & { code: "too_small" }): string {
  const lowerBound = Number(minimum);
  if (origin === "string")
    return lowerBound <= 1 ? issue("problems:fillIn") : issue("problems:tooShort", { least: lowerBound });
  if (origin === "array" || origin === "set") return issue("problems:tooFew", { least: lowerBound });
  if (origin !== "number" && origin !== "bigint" && origin !== "int") return issue("problems:notValid");
  return inclusive === false
    ? issue("problems:moreThan", { least: lowerBound })
    : issue("problems:atLeast", { least: lowerBound });
}

function tooBig({ origin, maximum, inclusive }: Raw & { code: "too_big" }): string {
  const upperBound = Number(maximum);
  if (origin === "string") return issue("problems:tooLong", { most: upperBound });
  if (origin === "array" || origin === "set") return issue("problems:tooMany", { most: upperBound });
  if (origin !== "number" && origin !== "bigint" && origin !== "int") return issue("problems:notValid");
  return inclusive === false
    ? issue("problems:lessThan", { most: upperBound })
    : issue("problems:atMost", { most: upperBound });
}

function ofFormat(format: string): string {
  if (format === "email") return issue("problems:emailMalformed");
  if (format === "url") return issue("problems:webAddress");
  if (format === "datetime") return issue("problems:moment");
  return format === "date" ? issue("problems:day") : issue("problems:notValid");
}
