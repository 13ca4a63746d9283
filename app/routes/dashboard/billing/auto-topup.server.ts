import type { RouterContextProvider } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readAutoTopup, readProcessorConfig } from "~/domain/billing/index.server";

/**
 * Returns the data of the auto top-up card. The view is null without a processor, or if the actor may not fund the
 * wallet.
 */
export async function readAutoTopupCard(actor: Actor, context: Readonly<RouterContextProvider>) {
  const view = readProcessorConfig().configured ? await readAutoTopup(db(), actor) : null;
  return { view, refused: refusedFormOf(context, "/api/billing/auto-topup") };
}
