import { db } from "~/connection/db.server";
import { answerOnce } from "~/domain/idempotency/index.server";
import { apiError } from "~/errors/app-error";
import { authenticate } from "~/gateway/authenticate";
import { idempotencyKeyOf } from "~/gateway/idempotency";
import { manageAnswer, manageEndpoints } from "~/http/manage-endpoint";
import { unreachable } from "~/values/unreachable";

/** A URL of the management API. Only admin keys have access, each to its own organisation. */
export const manageEndpoint = manageEndpoints({
  authenticate: async (request) => {
    const caller = await authenticate(request);
    if (caller.kind === "admin") return caller;
    throw apiError("permission_denied", {
      userMessage: "The management API takes admin keys only. This key can call models, but not manage keys.",
    });
  },
  once: async ({ admin, request, digest }, work) => {
    const { keyId, organisationId } = admin;
    const idempotencyKey = idempotencyKeyOf(request) ?? "";
    const result = await answerOnce(db(), { keyId, organisationId, idempotencyKey, requestHash: digest }, work);
    switch (result.kind) {
      case "answered":
        return manageAnswer(result.answer);
      case "repeated":
        return manageAnswer(result.answer, { "idempotent-replayed": "true" });
      case "conflict":
        throw apiError("idempotency_conflict");
      case "inProgress":
        throw apiError("operation_in_progress");
      case "tooMany":
        throw apiError("rate_limit_exceeded", { userMessage: TOO_MANY, retryAfterSeconds: RETRY_SECONDS });
      default:
        return unreachable(result);
    }
  },
});

const TOO_MANY =
  "This admin key has 10,000 answers under Idempotency-Keys, each kept for 24 hours. Wait until some have gone.";
const RETRY_SECONDS = 3_600;
