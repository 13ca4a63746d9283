import { z } from "zod";
import { EmailField } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";
import { Id, orNothing } from "~/http/body/fields";

/** Asks a colleague to pay, or offers to pay for them. */
export const AskColleagueForm = z.strictObject({ act: z.enum(["request", "offer"]), email: EmailField });

/** `request` and `offer` need the colleague's address; `accept` and `end` need the id of the agreement. */
export const DelegatedPayerForm = z
  .strictObject({
    act: z.enum(["request", "offer", "accept", "end"]),
    email: orNothing(EmailField),
    delegation_id: orNothing(Id),
  })
  .refine(({ act, email }) => email !== undefined || act === "accept" || act === "end", {
    error: issue("problems:fillIn"),
    path: ["email"],
  })
  .refine(({ act, delegation_id: id }) => id !== undefined || act === "request" || act === "offer", {
    error: issue("problems:fillIn"),
    path: ["delegation_id"],
  });
