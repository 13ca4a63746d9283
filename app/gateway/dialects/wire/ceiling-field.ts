import { profileOf } from "~/domain/catalogue/profiles";
import type { OutputField, Route } from "~/domain/catalogue/shared";

/** Where a chat request by a route states the most output, as the catalogue or the profile has it; null: neither says it. */
export const knownCeilingField = (route: Route): OutputField | null =>
  route.outputField ?? route.supplier.outputField ?? profileOf(route).outputField;

/** The same; where nothing says it, the older field, which most suppliers take. */
export const ceilingField = (route: Route): OutputField => knownCeilingField(route) ?? "max_tokens";
