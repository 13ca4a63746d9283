import type { Lane } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { Ask } from "../../canonical/ask";
import { ownFieldEdits } from "../wire/body-checks";
import type { EmbeddingsSource } from "./read";

/** The body for the supplier: the client's own bytes with the supplier's model name, without gw's own fields. */
export function forwardEmbeddings(ask: Ask, lane: Lane): string {
  const { text, members, body } = ask.source as EmbeddingsSource;
  return editMembers(text, members, ownFieldEdits({ body, members }, lane));
}
