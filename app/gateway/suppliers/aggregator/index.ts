import { chatApi } from "../toolkit/chat-api";
import { readAggregatorFailure } from "./failure";
import { readModel } from "./models";
import { withoutRouting } from "./request";

/**
 * A chat API in front of many suppliers. gw decides on the route and the price, so their routing fields are removed.
 */
export const aggregator = chatApi({
  kind: "aggregator",
  takes: ["chat", "embeddings"],
  rewrite: withoutRouting,
  readFailure: readAggregatorFailure,
  readModel,
});
