import { z } from "zod";
import {
  isExtraValue,
  isHeaderName,
  isOwnHeader,
  isOwnParameter,
  isParameterName,
  MAX_EXTRAS,
} from "~/domain/catalogue/shared";
import { issue } from "~/errors/message";

/** The name of a header that gw does not set itself, in lower case. */
export const HeaderName = z
  .string()
  .trim()
  .refine(isHeaderName, issue("problems:headerName"))
  .refine((name) => !isOwnHeader(name), issue("problems:ownHeader"))
  .transform((name) => name.toLowerCase());

/** The name of a query parameter that gw does not set itself. */
export const ParameterName = z
  .string()
  .trim()
  .refine(isParameterName, issue("problems:parameterName"))
  .refine((name) => !isOwnParameter(name), issue("problems:ownParameter"));

/** The value of a header or a parameter. */
export const ExtraValue = z.string().trim().refine(isExtraValue, issue("problems:extraValue"));

/** Headers by name, or one per line as `Name: value`. */
export const Headers = entries(HeaderName, ":");
/** Query parameters by name, or one per line as `name=value`. */
export const Parameters = entries(ParameterName, "=");

function entries(name: typeof HeaderName | typeof ParameterName, divider: ":" | "=") {
  const input = z.union([z.string().max(100_000), z.record(z.string(), z.string())], issue("problems:extraLine"));
  return input.transform((written, context): Record<string, string> => {
    const problem = (message: string) => context.addIssue({ code: "custom", message });
    const pairs = typeof written === "string" ? linesOf(written, divider) : Object.entries(written);
    if (pairs === null) problem(issue("problems:extraLine"));
    if ((pairs?.length ?? 0) > MAX_EXTRAS) problem(issue("problems:extraCount", { most: MAX_EXTRAS }));
    const named = new Map<string, string>();
    for (const [text, content] of pairs ?? []) {
      const [read, value] = [name.safeParse(text), ExtraValue.safeParse(content)];
      for (const { error } of [read, value])
        if (error) problem(error.issues[0]?.message ?? issue("problems:extraLine"));
      if (!read.success || !value.success) continue;
      if (named.has(read.data)) problem(issue("problems:extraTwice"));
      named.set(read.data, value.data);
    }
    return Object.fromEntries(named);
  });
}

/** Null: a line has no divider. */
function linesOf(text: string, divider: string): [string, string][] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.some((line) => !line.includes(divider))) return null;
  return lines.map((line) => [line.slice(0, line.indexOf(divider)), line.slice(line.indexOf(divider) + 1)]);
}
