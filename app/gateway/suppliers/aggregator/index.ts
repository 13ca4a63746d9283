import { chatApi } from "../toolkit/chat-api";
import { readAggregatorFailure } from "./failure";
import { readModel } from "./models";
import { withoutRouting } from "./request";

/** A chat API with many suppliers behind it. Where a request goes is gw's affair, and so is what it costs. */
export const aggregator = chatApi({
  kind: "aggregator",
  takes: ["chat", "embeddings"],
  rewrite: withoutRouting,
  readFailure: readAggregatorFailure,
  readModel,
});
