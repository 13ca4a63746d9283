import type { Picture } from "../../canonical/answer";
import { isObject } from "../wire/reading";

/** A picture of an answer: its bytes as base64, or nothing where they lie elsewhere. */
export function pictureOf(format: unknown, source: unknown): Picture[] {
  const bytes = isObject(source) ? source.bytes : null;
  if (typeof bytes !== "string" || bytes === "") return [];
  const type = typeof format === "string" && /^[a-z]{1,10}$/.test(format) ? format : "png";
  return [{ kind: "picture", url: `data:image/${type};base64,${bytes}` }];
}
