import { z } from "zod";
import { EmailField } from "~/domain/identity/shared";
import { Id } from "~/http/fields";

/** Asks a colleague to pay for oneself, or offers to pay for them. */
export const AskColleagueForm = z.strictObject({ act: z.enum(["request", "offer"]), email: EmailField });

/** What is said to a question, or about an agreement. */
const AnswerForm = z.strictObject({ act: z.enum(["accept", "end"]), delegation_id: Id });

export const DelegatedPayerForm = z.union([AskColleagueForm, AnswerForm]);
