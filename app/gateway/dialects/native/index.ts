import { DIALECTS } from "../../canonical/dialects";
import { hintsOf } from "../../canonical/routing-hints";
import { SupplierFailure } from "../../canonical/supplier-failure";
import type { Dialect, Translator } from "../dialect";
import { answerObject } from "../wire/events/whole-json";
import { outputCeilingOf } from "../wire/output-ceiling";
import { fieldsOmittedFromItems } from "../wire/pass-through";
import { failedEvent, KEEPALIVE } from "./failed-event";
import { forwardedHeaders, forwardNative } from "./forward";
import { type NativeSource, readNative } from "./read";
import { NativeStreamReader } from "./stream";
import { responseTexts } from "./stream-texts";
import { promptText } from "./texts";

/** The format of native agents: a list of items in, only streams out. */
export const nativeDialect: Dialect<NativeSource> = {
  name: "native",
  endpoint: DIALECTS.native.endpoint,
  streamTexts: responseTexts,
  read: readNative,
  errorEvent: (problem) => failedEvent(problem),
  agentHeartbeat: KEEPALIVE,
  promptText: (inference) => promptText(inference.source.body),
  outputCeiling: ({ source }) => outputCeilingOf(source, ["max_output_tokens"]),
  hints: (inference) => hintsOf(inference.source.body),
};

/** Connects a native agent with its supplier: bytes pass through. This format has no translation. */
export const nativeToNative: Translator<NativeSource> = {
  forward: forwardNative,
  leftOut: fieldsOmittedFromItems,
  headers: forwardedHeaders,
  readAnswer(_ask, body) {
    answerObject(body);
    throw new SupplierFailure("protocol", "the supplier did not stream", { executed: "yes" });
  },
  openStream: () => new NativeStreamReader(),
};
