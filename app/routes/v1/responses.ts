import { responsesDialect } from "~/gateway/dialects/responses";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, responsesDialect));

export const loader = endpoint;
export const action = endpoint;
