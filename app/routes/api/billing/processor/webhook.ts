import { problemResponse } from "~/access/portal/door.server";
import { db } from "~/db.server";
import { applyEvent, receiveEvent } from "~/domain/billing/index.server";
import { toAppError } from "~/errors/app-error";
import { bodyBytes } from "~/http/body-bytes";
import { declared } from "~/http/declaration";
import { requireMethod } from "~/http/require-method";

const MAX_BYTES = 1_048_576;

/**
 * Takes the payment processor's events. It is answered as soon as the event is on record; the ledger follows, here or, when
 * this process ends before, by the job.
 */
const webhook = declared(
  async ({ request }: { request: Request }): Promise<Response> => {
    try {
      requireMethod(request);
      const payload = await bodyBytes(request, MAX_BYTES);
      const { id } = await receiveEvent(db(), payload, request.headers.get("stripe-signature"));
      void applyEvent(db(), id);
      return Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
    } catch (problem) {
      return problemResponse(toAppError(problem), ["POST"]);
    }
  },
  { methods: ["POST"], allow: "anyone" },
);

export const loader = webhook;
export const action = webhook;
