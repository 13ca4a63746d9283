/** Version 2 of the rerank SDK sends the request of version 1 to /v2. */
export { action, loader } from "../v1/rerank";
