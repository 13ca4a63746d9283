import { answerTokenCount } from "~/gateway/count-tokens";
import { inferenceEndpoint } from "~/http/inference-endpoint";

const endpoint = inferenceEndpoint(answerTokenCount);

export const loader = endpoint;
export const action = endpoint;
