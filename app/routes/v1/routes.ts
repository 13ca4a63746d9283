import { route } from "@react-router/dev/routes";
import { endpoint } from "../table";

/** The gateway's API. The server answers these rows itself, in front of React Router. */
export const gatewayRoutes = [
  endpoint("v1/chat/completions"),
  endpoint("v1/completions"),
  endpoint("v1/messages"),
  endpoint("v1/messages/count_tokens"),
  endpoint("v1/vendorb/responses"),
  endpoint("v1/responses"),
  endpoint("v1/responses/:responseId"),
  endpoint("v1/responses/:responseId/cancel"),
  endpoint("v1/responses/:responseId/input_items"),
  endpoint("v1/embeddings"),
  endpoint("v1/rerank"),
  endpoint("v2/rerank"),
  endpoint("v1/moderations"),
  endpoint("v1/images/generations"),
  endpoint("v1/audio/speech"),
  endpoint("v1/audio/transcriptions"),
  endpoint("v1/audio/translations"),
  endpoint("v1/models"),
  endpoint("v1/models/:model"),
  route("v1/models/*", "routes/v1/models/unknown.ts"),
  endpoint("v1/manage/keys"),
  endpoint("v1/manage/keys/:keyId"),
  endpoint("v1/manage/keys/:keyId/rotate"),
  endpoint("v1/manage/audit-logs"),
  route("v1/*", "routes/v1/unknown.ts"),
];
