import { speechDialect } from "~/gateway/dialects/speech";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, speechDialect));

export const loader = endpoint;
export const action = endpoint;
