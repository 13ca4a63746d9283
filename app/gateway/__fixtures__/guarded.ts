import type { Guarded } from "../canonical/guarded";

/** Marks a body as guarded, for tests of later stages. */
export const asGuarded = <Body>(body: Body): Body & Guarded => body as Body & Guarded;
