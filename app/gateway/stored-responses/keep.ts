import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { saveResponse } from "~/domain/responses/index.server";
import type { StoredResponse } from "~/domain/responses/shared";
import { log } from "~/observe/log.server";
import type { AdmittedCall } from "../admit/admission";
import { type HiddenThoughts, withHidden } from "../dialects/responses/hidden-thoughts";
import type { ResponsesSource } from "../dialects/responses/read";
import { isObject } from "../dialects/wire/events/reading";
import { ownerOf } from "../key-endpoint";

/**
 * Stores a response if its client requested that, before the client sees its end, so that the next request can refer to
 * it at once. `bytes`: the whole answer, or the last event of a stream; `hidden`: reasoning that its client did not
 * see. Never rejects, so that a paid answer is not lost.
 */
export function storeResponse(
  admitted: AdmittedCall,
  bytes: Buffer,
  hidden: HiddenThoughts = NOTHING,
): Promise<void> | undefined {
  const days = config().storedResponsesDays;
  return admitted.inference.dialect === "responses" && days > 0 ? store(admitted, { bytes, hidden, days }) : undefined;
}

const NOTHING: HiddenThoughts = new Map();

type Kept = { bytes: Buffer; hidden: HiddenThoughts; days: number };

async function store({ call, caller, inference }: AdmittedCall, { bytes, hidden, days }: Kept): Promise<void> {
  const { body } = inference.source as ResponsesSource;
  if (body.store === false) return;
  try {
    const response = responseIn(bytes.toString("utf8"));
    if (response === null) return;
    // gw sends suppliers neither `store: true` nor `previous_response_id`, so their answers lack the client's values.
    const output = response.output.map((item) => withHidden(item, { encrypted_content: hidden.get(idOf(item)) }));
    const shown = { ...response, output, store: true, previous_response_id: body.previous_response_id ?? null };
    const stored = { input: body.input, response: shown, at: call.startedAt, days };
    if (!(await saveResponse(db(), ownerOf(caller), stored)))
      log.warn({ call: call.id }, "a response is too long to be stored");
  } catch (error) {
    log.warn({ call: call.id, err: error }, "a response could not be stored");
  }
}

const idOf = (item: unknown): string => (isObject(item) && typeof item.id === "string" ? item.id : "");

const DATA = "\ndata: ";

/** Returns the response inside an answer or a terminal event; null if there is none. */
function responseIn(text: string): StoredResponse["response"] | null {
  const at = text.startsWith("{") ? 0 : text.lastIndexOf(DATA) + DATA.length;
  const wire: unknown = JSON.parse(text.slice(at));
  const response = isObject(wire) && isObject(wire.response) ? wire.response : wire;
  if (!isObject(response) || typeof response.id !== "string" || !Array.isArray(response.output)) return null;
  return response as StoredResponse["response"];
}
