import { profileOf } from "~/domain/catalogue/profiles";
import type { OutputField, Route } from "~/domain/catalogue/shared";

/** Returns the chat field for the maximum output, from the catalogue or the profile; null if neither defines it. */
export const knownCeilingField = (route: Route): OutputField | null =>
  route.outputField ?? route.supplier.outputField ?? profileOf(route).outputField;

/** Same, with the older field as the default, which most suppliers accept. */
export const ceilingField = (route: Route): OutputField => knownCeilingField(route) ?? "max_tokens";
