import { nativeDialect } from "~/gateway/dialects/native";
import { serve } from "~/gateway/serve.server";
import { inferenceEndpoint } from "~/http/inference-endpoint";

// The same as vendorb/responses: SDKs look for it beside the other endpoints of their base URL.
const endpoint = inferenceEndpoint((request) => serve(request, nativeDialect));

export const loader = endpoint;
export const action = endpoint;
