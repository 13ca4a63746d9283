/** Where the second version of the rerank SDK sends the request that the first one sends to /v1. */
export { action, loader } from "../v1/rerank";
