import type { Lane } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { Ask } from "../../canonical/ask";
import { ownFieldEdits } from "../wire/body-checks";
import type { ChatSource } from "./read";

/**
 * The body for a chat-style supplier: the client's own bytes, with the supplier's name for the model, without the
 * fields that are gw's own, and with usage asked for in a stream of a supplier that may be asked for it.
 */
export function forwardChat(ask: Ask, lane: Lane): string {
  const { text, members, body, wantsUsage } = ask.source as ChatSource;
  const edits = ownFieldEdits({ body, members }, lane);
  if (ask.stream && !lane.supplier.streamUsage) edits.stream_options = null;
  else if (ask.stream && !wantsUsage)
    edits.stream_options = JSON.stringify({ ...body.stream_options, include_usage: true });
  return editMembers(text, members, edits);
}
