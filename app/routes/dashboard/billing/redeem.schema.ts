import { z } from "zod";
import { TypedCode } from "~/domain/promotions/shared";

/** A promotion code. The same `request_id` redeems once. */
export const RedeemForm = z.strictObject({ code: TypedCode, request_id: z.uuid().optional() });
