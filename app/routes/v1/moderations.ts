import { moderationDialect } from "~/gateway/dialects/moderation";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, moderationDialect));

export const loader = endpoint;
export const action = endpoint;
