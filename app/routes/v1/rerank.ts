import { rerankDialect } from "~/gateway/dialects/rerank";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, rerankDialect));

export const loader = endpoint;
export const action = endpoint;
