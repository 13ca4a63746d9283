import type { RouterContextProvider } from "react-router";
import { refusedFormOf } from "~/access/flash.server";

/** What is left to do for somebody who has come from a provider and has no account yet; null for everybody else. */
export function providerFormOf(context: Readonly<RouterContextProvider>) {
  return refusedFormOf(context, "/auth/accept-tos");
}
