import { problemResponse } from "~/access/portal/door.server";
import { db } from "~/connection/db.server";
import { handleEvent, receiveEvent } from "~/domain/billing/index.server";
import { toAppError } from "~/errors/app-error";
import { bodyBytes } from "~/http/body/body-bytes";
import { declared } from "~/http/declaration";
import { requireMethod } from "~/http/require-method";

const MAX_BYTES = 1_048_576;

/**
 * Receives the payment processor's events. It answers as soon as the event is recorded. The ledger is posted
 * afterwards, by this process or, if it ends before, by the job.
 */
const webhook = declared(
  async ({ request }: { request: Request }): Promise<Response> => {
    try {
      requireMethod(request);
      const payload = await bodyBytes(request, MAX_BYTES);
      const received = await receiveEvent(db(), payload, request.headers.get("stripe-signature"));
      void handleEvent(db(), received);
      return Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      return problemResponse(toAppError(error), ["POST"]);
    }
  },
  { methods: ["POST"], allow: "anyone" },
);

export const loader = webhook;
export const action = webhook;
