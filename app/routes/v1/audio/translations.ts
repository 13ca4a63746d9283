import { translationDialect } from "~/gateway/dialects/transcription";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, translationDialect));

export const loader = endpoint;
export const action = endpoint;
