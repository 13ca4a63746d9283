import { hintsOf } from "../../canonical/routing-hints";
import type { Dialect, Translator, WholeAnswer } from "../dialect";
import { failedEvent } from "../native/failed-event";
import { forwardedHeaders } from "../native/forward";
import { NativeStreamReader } from "../native/stream";
import { promptText, textOfItem } from "../native/texts";
import { readNativeUsage } from "../native/usage";
import { isBilledItem, toldUsesIn } from "../wire/billed-tools";
import { fitResponsesBody } from "../wire/fit-body";
import { outputCeilingOf } from "../wire/output-ceiling";
import { leftOutOfItems } from "../wire/pass-through";
import { isObject } from "../wire/reading";
import { atTier } from "../wire/service-tier";
import { unsupported } from "../wire/unsupported";
import { answerObject, exactAnswerObject, notAnAnswer } from "../wire/whole-json";
import { forwardResponses } from "./forward";
import { HidingStreamReader, hidden, hidesThoughts } from "./hidden-thoughts";
import { type ResponsesSource, readResponses } from "./read";

/** The responses format: what the official SDK, the AI SDK and coding agents send and read by default. */
export const responsesDialect: Dialect = {
  name: "responses",
  endpoint: "responses",
  read: readResponses,
  // Its clients know `response.failed`; an event named `error` is not understood by all of them.
  errorEvent: (problem) => failedEvent(problem),
  promptText: (inference) => promptText((inference.source as ResponsesSource).body),
  outputCeiling: ({ source }) => outputCeilingOf(source as ResponsesSource, ["max_output_tokens"]),
  hints: (inference) => hintsOf((inference.source as ResponsesSource).body),
};

/** A responses client and a supplier of the same dialect: bytes pass through. */
export const responsesToResponses: Translator = {
  forward: forwardResponses,
  leftOut: (inference, route) => [
    ...leftOutOfItems(inference, route),
    ...fitResponsesBody((inference.source as ResponsesSource).body, route).leftOut,
  ],
  readAnswer: (inference, body) => readWhole(body, hidesThoughts(inference)),
  openStream: (inference) => (hidesThoughts(inference) ? new HidingStreamReader() : new NativeStreamReader()),
};

/** A responses client and a supplier for native agents, which streams and does nothing else. */
export const responsesToNative: Translator = {
  ...responsesToResponses,
  headers: forwardedHeaders,
  forward(inference, route) {
    if (!inference.stream) throw unsupported("stream", "Its supplier has streams only: set stream to true.");
    return forwardResponses(inference, route);
  },
};

/** Understands a whole response. @throws SupplierFailure `protocol` for what is none, and for an error in a 200. */
function readWhole(body: Buffer, hides: boolean): WholeAnswer {
  const { output, usage, service_tier } = hides ? exactAnswerObject(body) : answerObject(body);
  const areUsesTold = isObject(usage) && toldUsesIn(usage) !== null;
  if (!Array.isArray(output)) throw notAnAnswer("the supplier's answer has no output");
  return {
    ...(hides ? hidden(body, output) : { body }),
    usage: atTier(readNativeUsage(usage), service_tier),
    toolUses: areUsesTold ? 0 : output.filter(isBilledItem).length,
    outputText: () => output.map(textOfItem).join(""),
  };
}
