import { z } from "zod";
import { TypedCode } from "~/domain/promotions/shared";

/** A promotion code. Repeated requests with the same `request_id` redeem once. */
export const RedeemForm = z.strictObject({ code: TypedCode, request_id: z.uuid().optional() });
