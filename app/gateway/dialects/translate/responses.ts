import { randomUUID } from "node:crypto";
import { exactValue } from "~/http/body/json/exact-numbers";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ResponsesStreamEncoder } from "../responses/encode-stream";
import type { ResponsesSource } from "../responses/read";
import { type ResponsesConversation, readResponsesConversation } from "../responses/read-conversation";
import type { ResponseFrame } from "../responses/response";
import { writeResponse } from "../responses/write-answer";
import { ToolNames } from "../wire/identifiers";
import type { ClientFormat } from "./formats";
import { MAX_NAME_LENGTH, namesIn } from "./shared";

/** The responses format of clients. */
export const responsesClient: ClientFormat<ResponsesSource> = {
  field: "input",
  statesUsage: true,
  parse(inference) {
    const { conversation, frame } = understood(inference);
    return { conversation, names: frame.names };
  },
  fieldName: (name) => OWN_NAMES[name] ?? name,
  writer(inference, answer) {
    const { frame } = understood(inference);
    return (usage) => writeResponse({ ...answer, usage }, frame);
  },
  openEncoder: (inference) => new ResponsesStreamEncoder(understood(inference).frame),
};

/** Names of omitted fields in this dialect. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  thinking: "reasoning.effort",
  response_format: "text.format",
};

type Understood = ResponsesConversation & { frame: ResponseFrame };

/** Parsed requests. Each request is parsed once for all attempts; its answer has the same id for every supplier. */
const known = new WeakMap<InferenceRequest, Understood>();

/** Returns a responses request as a conversation, with the frame of its answer; cached per request. */
function understood(inference: InferenceRequest<ResponsesSource>): Understood {
  const before = known.get(inference);
  if (before !== undefined) return before;
  const { body: original, text } = inference.source;
  const body = exactValue(original, text);
  const read = readResponsesConversation(body);
  const frame: ResponseFrame = {
    id: `resp_${randomUUID().replaceAll("-", "")}`,
    createdSeconds: Math.floor(Date.now() / 1000),
    body,
    names: new ToolNames(namesIn(read.conversation), MAX_NAME_LENGTH),
    clientTools: read.clientTools,
    modelOf: (model) => model || inference.requestedModel,
  };
  const now = { ...read, frame };
  known.set(inference, now);
  return now;
}
