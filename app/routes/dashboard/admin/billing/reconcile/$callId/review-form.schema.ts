import { z } from "zod";
import { isLine } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";
import { OptionalUsd } from "~/http/body/fields";

/** The end of a review: charge of the checkpoint, a chosen amount or nothing, and the reason. */
export const ReviewForm = z
  .strictObject({
    resolution: z.enum(["checkpoint", "charge", "release"]),
    amount: OptionalUsd.default(null),
    reason: z
      .string()
      .trim()
      .min(1, issue("problems:fillIn"))
      .max(300)
      .refine(isLine, issue("problems:textUnshowable")),
  })
  .refine(({ resolution, amount }) => resolution !== "charge" || amount !== null, {
    path: ["amount"],
    message: issue("problems:amount"),
  });
