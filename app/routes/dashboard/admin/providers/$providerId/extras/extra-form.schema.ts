import { z } from "zod";
import { EXTRA_PLACES } from "~/domain/catalogue/shared";
import { ExtraValue, HeaderName, ParameterName } from "../../../models/extra-fields";

/** A header or query parameter of all requests to a supplier, to set or to remove. Removing needs no value. */
export const ExtraForm = z
  .strictObject({
    act: z.enum(["set", "remove"]).default("set"),
    in: z.enum(EXTRA_PLACES),
    name: z.string().trim().max(200),
    value: z.string().max(4_100).default(""),
  })
  .transform(({ act, in: part, name, value }, context) => {
    const read = (part === "query" ? ParameterName : HeaderName).safeParse(name);
    for (const { message } of read.error?.issues ?? []) context.addIssue({ code: "custom", path: ["name"], message });
    if (act === "remove") return { in: part, name: read.data ?? name, value: null };
    const content = part === "key_header" ? { data: "set", error: undefined } : ExtraValue.safeParse(value);
    for (const { message } of content.error?.issues ?? [])
      context.addIssue({ code: "custom", path: ["value"], message });
    return { in: part, name: read.data ?? name, value: content.data ?? "" };
  });
