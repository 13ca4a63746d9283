import { completionsDialect } from "~/gateway/dialects/completions";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, completionsDialect));

export const loader = endpoint;
export const action = endpoint;
