import type { Guarded } from "../canonical/guarded";

/** A body as it is after the guard, for tests of what lies behind it. */
export const asGuarded = <Body>(body: Body): Body & Guarded => body as Body & Guarded;
