declare const guarded: unique symbol;

/** The mark of what has passed the guard. Types alone carry it: only the room of the guard sets it. */
export type Guarded = { readonly [guarded]: true };
