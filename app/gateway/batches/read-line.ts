import { apiError } from "~/errors/app-error";
import { parseLongJson } from "~/http/body/json/parse-json";
import { membersOf, parseBody } from "../dialects/wire/body-checks";
import { isObject } from "../dialects/wire/events/reading";

/** A line of a batch: the request as the client wrote it. */
export type BatchRequest = { customId: string; method: unknown; url: unknown; body: string };

const MAX_CUSTOM_ID = 512;

/** @throws AppError invalid_json, missing_fields, validation_error */
export async function readBatchLine(text: string): Promise<BatchRequest> {
  const parsed = await parseLongJson(text);
  const line = parseBody(text, parsed);
  const { custom_id: customId, method, url, body } = line;
  if (typeof customId !== "string" || customId === "" || customId.length > MAX_CUSTOM_ID)
    throw apiError(customId === undefined ? "missing_fields" : "validation_error", {
      userMessage: `custom_id has to be a text of 1 to ${MAX_CUSTOM_ID} characters.`,
      param: "custom_id",
    });
  if (!isObject(body))
    throw apiError("missing_fields", { userMessage: "body has to be the request, as an object.", param: "body" });
  const member = membersOf(text, parsed).findLast(({ key }) => key === "body");
  return { customId, method, url, body: member === undefined ? "{}" : text.slice(member.valueStart, member.valueEnd) };
}
