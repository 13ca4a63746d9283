import type { Picture } from "../../canonical/answer";
import { isObject } from "../wire/events/reading";

/** Returns a picture of an answer with its base64 bytes; empty if the answer does not contain the bytes. */
export function pictureOf(format: unknown, source: unknown): Picture[] {
  const bytes = isObject(source) ? source.bytes : null;
  if (typeof bytes !== "string" || bytes === "") return [];
  const type = typeof format === "string" && /^[a-z]{1,10}$/.test(format) ? format : "png";
  return [{ kind: "picture", url: `data:image/${type};base64,${bytes}` }];
}
