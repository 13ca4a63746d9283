import type { RouterContextProvider } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { db } from "~/db.server";
import { readAutoTopup, readProcessorConfig } from "~/domain/billing/index.server";
import type { Actor } from "~/domain/identity/shared";

/** What the auto top-up part of the wallet page shows; without a view for whoever may not fund the wallet, or without a processor. */
export async function readAutoTopupCard(actor: Actor, context: Readonly<RouterContextProvider>) {
  const view = readProcessorConfig().configured ? await readAutoTopup(db(), actor) : null;
  return { view, refused: refusedFormOf(context, "/api/billing/auto-topup") };
}
