import { apiError } from "~/errors/app-error";
import { authenticate } from "~/gateway/authenticate";
import { manageEndpoints } from "~/http/manage-endpoint";

/** A URL of the management API. Only admin keys get in, and each to its own organisation. */
export const manageEndpoint = manageEndpoints(async (request) => {
  const caller = await authenticate(request);
  if (caller.kind === "admin") return caller;
  throw apiError("permission_denied", {
    userMessage: "The management API takes admin keys only. This key can call models, but not manage keys.",
  });
});
