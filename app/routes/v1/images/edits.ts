import { imageEditDialect } from "~/gateway/dialects/image";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, imageEditDialect));

export const loader = endpoint;
export const action = endpoint;
