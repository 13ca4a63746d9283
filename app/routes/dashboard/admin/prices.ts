import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { setPrice } from "~/domain/catalogue/index.server";
import { authorOf } from "~/domain/identity/shared";
import { PriceForm, type PriceValues } from "./models/price-form.schema";
import { ADMIN_MODELS } from "./models/shared";

const TAB = `${ADMIN_MODELS}?tab=prices`;

/** Prices stand on the page of models; sets one, and makes the model and its route where they are not there. */
const prices = portalEndpoint({
  allow: "platform_admin",
  page: TAB,
  GET: () => new Response(null, { status: 303, headers: { location: TAB } }),
  POST: {
    body: PriceForm,
    run: async ({ actor, body, context }) => {
      requireRecentProof(context);
      const { isChanged } = await setPrice(db(), authorOf(actor), wantedOf(body));
      return done({ to: TAB, toast: isChanged ? "adminModels:done.priced" : "adminModels:done.samePrice" });
    },
  },
});

const wantedOf = (body: PriceValues) => ({
  supplierId: body.supplier_id,
  modelId: body.model,
  upstreamModel: body.upstream_model ?? body.model,
  model: {
    capability: body.capability,
    contextTokens: body.context_tokens,
    maxOutputTokens: Math.min(body.max_output_tokens, body.context_tokens),
    ownedBy: "portal",
  },
  amounts: {
    inputPerMtok: body.input_per_mtok ?? 0n,
    outputPerMtok: body.output_per_mtok ?? 0n,
    cachedInputPerMtok: body.cached_input_per_mtok,
    cacheWritePerMtok: body.cache_write_per_mtok,
    perRequest: body.per_request ?? 0n,
    perSecond: body.per_second ?? 0n,
    perMchar: body.per_mchar ?? 0n,
  },
  from: body.from === null ? null : new Date(body.from),
});

export const loader = prices;
export const action = prices;
