import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Caller } from "~/domain/keys/shared";
import { findItems, findResponse } from "~/domain/responses/index.server";
import { type AppError, apiError } from "~/errors/app-error";
import { exactJson, exactMember } from "~/http/body/json/exact-numbers";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../canonical/inference-request";
import { isShownInPart, withHidden } from "../dialects/responses/hidden-thoughts";
import { type ResponsesSource, readResponses } from "../dialects/responses/read";
import { check } from "../dialects/wire/body-checks";
import { isObject } from "../dialects/wire/events/reading";
import { refuseUncalled } from "../dialects/wire/uncalled-results";
import { ownerOf } from "../key-endpoint";

/** Maximum references per request. */
const MAX_REFERENCES = 500;

/**
 * Replaces all references of a request by their content: the previous response, and items of earlier ones. Incomplete
 * reasoning is completed from storage. From here on it is as if the client had sent the whole conversation; the
 * previous response's id stays for the answer. Other requests are returned unchanged, after a check that they are
 * complete.
 * @throws AppError not_found, or `previous_response_not_found`, for an unknown reference or one of another owner;
 * invalid_request for a tool result without its call; unsupported_parameter if responses are not stored;
 * request_too_large if the whole exceeds the limit for a request.
 */
export function withStored(inference: InferenceRequest, caller: Caller): InferenceRequest | Promise<InferenceRequest> {
  if (inference.dialect === "responses") return resolved(inference as Asked, caller);
  refuseUncalled(inference);
  return inference;
}

type Asked = InferenceRequest<ResponsesSource>;

async function resolved(request: Asked, caller: Caller): Promise<InferenceRequest> {
  const inference = await withReferences(request, caller);
  refuseUncalled(inference);
  return inference;
}

async function withReferences(inference: Asked, caller: Caller): Promise<Asked> {
  const { text, members, body } = inference.source;
  const previous = body.previous_response_id ?? null;
  const references = body.input.flatMap((item) => referenceIn(item) ?? []);
  const thoughts = config().storedResponsesDays > 0 ? body.input.filter(isShownInPart).map(({ id }) => id) : [];
  if (previous === null && references.length === 0 && thoughts.length === 0) return inference;
  if (previous !== null || references.length > 0) refuseUnstored(previous);
  check(previous === null || typeof previous === "string", "previous_response_id", "must be the id of a response");
  check(references.length <= MAX_REFERENCES, "input", `may refer to ${MAX_REFERENCES} items at most`);
  const before = previous === null ? [] : await conversationOf(previous, caller);
  const ids = [...references, ...thoughts.slice(-MAX_REFERENCES)];
  const items = ids.length === 0 ? new Map() : await findItems(db(), ownerOf(caller), ids);
  const input = exactMember(body.input, "input", { text, members }).map((item, index) => {
    const id = referenceIn(item);
    if (id === null) return isShownInPart(item) ? withHidden(item, items.get(item.id)) : item;
    if (!items.has(id)) throw missingItem(id, `input[${index}]`);
    return items.get(id);
  });
  const edited = editMembers(text, members, { input: exactJson(JSON.stringify([...before, ...input])) });
  if (Buffer.byteLength(edited) > config().limits.jsonBodyBytes) throw apiError("request_too_large");
  return readResponses(edited);
}

function refuseUnstored(previous: unknown): void {
  if (config().storedResponsesDays > 0) return;
  throw apiError("unsupported_parameter", {
    userMessage: "Responses are not stored here. Send the items of the conversation as input, and store as false.",
    param: previous === null ? "input" : "previous_response_id",
  });
}

async function conversationOf(id: string, caller: Caller): Promise<readonly unknown[]> {
  const stored = await findResponse(db(), ownerOf(caller), id);
  if (stored === null) throw missingResponse(id);
  return [...stored.input, ...stored.response.output];
}

function referenceIn(item: unknown): string | null {
  return isObject(item) && item.type === "item_reference" && typeof item.id === "string" ? item.id : null;
}

/**
 * The same error for an unknown response, an expired one, and one of another owner. Clients know this code of the
 * format and then send the whole conversation.
 */
const missingResponse = (id: string): AppError =>
  apiError("invalid_request", {
    supplierCode: "previous_response_not_found",
    userMessage: `Previous response with id '${shown(id)}' not found.`,
    param: "previous_response_id",
  });

const missingItem = (id: string, param: string): AppError =>
  apiError("not_found", { userMessage: `Item with id '${shown(id)}' not found.`, param });

const shown = (id: string): string => id.slice(0, 100);
