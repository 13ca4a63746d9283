import type { RouterContextProvider } from "react-router";
import { refusedFormOf } from "~/access/flash.server";

/** The form for a visitor who returned from a provider without an account; otherwise null. */
export function providerFormOf(context: Readonly<RouterContextProvider>) {
  return refusedFormOf(context, "/auth/accept-tos");
}
