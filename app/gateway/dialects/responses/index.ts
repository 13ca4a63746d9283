import type { Route } from "~/domain/catalogue/shared";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { hintsOf } from "../../canonical/routing-hints";
import type { Dialect, Translator, WholeAnswer } from "../dialect";
import { failedEvent, KEEPALIVE } from "../native/failed-event";
import { forwardedHeaders } from "../native/forward";
import { NativeStreamReader } from "../native/stream";
import { responseTexts } from "../native/stream-texts";
import { promptText, textOfItem } from "../native/texts";
import { readNativeUsage } from "../native/usage";
import { isBilledItem, reportedUsesIn } from "../wire/billed-tools";
import { isObject } from "../wire/events/reading";
import { answerObject, exactAnswerObject, notAnAnswer } from "../wire/events/whole-json";
import { fitResponsesBody } from "../wire/fit-body";
import { outputCeilingOf } from "../wire/output-ceiling";
import { fieldsOmittedFromItems } from "../wire/pass-through";
import { atTier } from "../wire/service-tier";
import { unsupported } from "../wire/unsupported";
import { forwardResponses } from "./forward";
import { HidingStreamReader, hidden, hidesThoughts } from "./hidden-thoughts";
import { type ResponsesSource, readResponses } from "./read";

/** The responses format, the default of the official SDK, the AI SDK and coding agents. */
export const responsesDialect: Dialect<ResponsesSource> = {
  name: "responses",
  endpoint: DIALECTS.responses.endpoint,
  streamTexts: responseTexts,
  read: readResponses,
  // All clients know `response.failed`, but some do not know an event named `error`.
  errorEvent: (problem) => failedEvent(problem),
  agentHeartbeat: KEEPALIVE,
  promptText: (inference) => promptText(inference.source.body),
  outputCeiling: ({ source }) => outputCeilingOf(source, ["max_output_tokens"]),
  hints: (inference) => hintsOf(inference.source.body),
};

const fitOf = ({ source }: InferenceRequest<ResponsesSource>, route: Route) => fitResponsesBody(source.body, route);

/** Connects a responses client with a supplier of the same dialect: bytes pass through. */
export const responsesToResponses: Translator<ResponsesSource> = {
  forward: (inference, route, fit = fitOf(inference, route)) => forwardResponses(inference, route, fit),
  fit: fitOf,
  leftOut: (inference, route, { leftOut } = fitOf(inference, route)) => {
    const items = fieldsOmittedFromItems(inference, route);
    return leftOut.length === 0 ? items : [...items, ...leftOut];
  },
  readAnswer: (inference, body) => readWhole(body, hidesThoughts(inference)),
  openStream: (inference) => (hidesThoughts(inference) ? new HidingStreamReader() : new NativeStreamReader()),
};

/** Connects a responses client with a supplier for native agents, which supports only streams. */
export const responsesToNative: Translator<ResponsesSource> = {
  ...responsesToResponses,
  headers: forwardedHeaders,
  forward(inference, route, fit = fitOf(inference, route)) {
    if (!inference.stream) throw unsupported("stream", "Its supplier has streams only: set stream to true.");
    return forwardResponses(inference, route, fit);
  },
};

/** Reads a whole response. @throws SupplierFailure `protocol` for an unreadable body and for an error in a 200. */
function readWhole(body: Buffer, hides: boolean): WholeAnswer {
  const { output, usage, service_tier } = hides ? exactAnswerObject(body) : answerObject(body);
  const areUsesReported = isObject(usage) && reportedUsesIn(usage) !== null;
  if (!Array.isArray(output)) throw notAnAnswer("the supplier's answer has no output");
  return {
    ...(hides ? hidden(body, output) : { body }),
    usage: atTier(readNativeUsage(usage), service_tier),
    toolUses: areUsesReported ? 0 : output.filter(isBilledItem).length,
    outputText: () => output.map(textOfItem).join(""),
  };
}
