import { messagesDialect } from "~/gateway/dialects/messages";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, messagesDialect));

export const loader = endpoint;
export const action = endpoint;
