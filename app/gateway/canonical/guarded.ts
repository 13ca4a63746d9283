declare const guarded: unique symbol;

/** Type-only mark of a request that has passed the guard. Only the guard's folder sets it. */
export type Guarded = { readonly [guarded]: true };
