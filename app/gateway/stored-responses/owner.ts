import type { Caller } from "~/domain/keys/shared";
import type { ResponseOwner } from "~/domain/responses/shared";

/** Whose responses a key may use. */
export const ownerOf = ({ organisationId, userId }: Caller): ResponseOwner => ({ organisationId, userId });
