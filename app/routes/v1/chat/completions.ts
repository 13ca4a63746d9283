import { chatDialect } from "~/gateway/dialects/chat";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, chatDialect));

export const loader = endpoint;
export const action = endpoint;
