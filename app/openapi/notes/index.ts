import type { NotesByOperation } from "../shared";
import { administrationNotes } from "./administration";
import { batchesNotes } from "./batches";
import { dashboardNotes } from "./dashboard";
import { filesNotes } from "./files";
import { inferenceNotes } from "./inference";
import { managementNotes } from "./management";
import { managementInviteNotes } from "./management-invites";
import { managementPeopleNotes } from "./management-people";
import { managementUsageNotes } from "./management-usage";
import { mediaNotes } from "./media";
import { messagesNotes } from "./messages";
import { moneyNotes } from "./money";
import { publicNotes } from "./public";
import { responsesNotes } from "./responses";
import { signInNotes } from "./sign-in";

/**
 * Notes on every operation, by `"METHOD /published/path"`. The contract test fails for an operation without a line
 * here; the line may be only its summary. Bodies and parameters come from the handlers.
 */
export const NOTES: NotesByOperation = {
  ...inferenceNotes,
  ...messagesNotes,
  ...responsesNotes,
  ...filesNotes,
  ...batchesNotes,
  ...mediaNotes,
  ...managementNotes,
  ...managementPeopleNotes,
  ...managementInviteNotes,
  ...managementUsageNotes,
  ...publicNotes,
  ...signInNotes,
  ...dashboardNotes,
  ...moneyNotes,
  ...administrationNotes,
};
