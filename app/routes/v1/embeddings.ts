import { embeddingsDialect } from "~/gateway/dialects/embeddings";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, embeddingsDialect));

export const loader = endpoint;
export const action = endpoint;
