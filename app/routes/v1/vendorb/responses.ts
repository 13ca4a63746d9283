import { nativeDialect } from "~/gateway/dialects/native";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint((request) => serve(request, nativeDialect));

export const loader = endpoint;
export const action = endpoint;
