import type { Capability, Lifecycle, PriceList } from "~/domain/catalogue/shared";
import { decimalUsdText } from "~/ui/format";

/** The parts of a price in their displayed units: displayed amount = stored amount × `times`. */
export const PRICE_UNITS = [
  { field: "inputPerMtok", name: "Input", unit: "1M tokens", times: 1 },
  { field: "cachedInputPerMtok", name: "Cached input", unit: "1M tokens", times: 1 },
  { field: "cacheWritePerMtok", name: "Cache write", unit: "1M tokens", times: 1 },
  { field: "outputPerMtok", name: "Output", unit: "1M tokens", times: 1 },
  { field: "perRequest", name: "Request", unit: "1,000 requests", times: 1000 },
  { field: "perSecond", name: "Audio", unit: "minute", times: 60 },
  { field: "perMchar", name: "Text", unit: "1M characters", times: 1 },
] as const satisfies readonly { field: keyof PriceList; name: string; unit: string; times: number }[];

export type PriceField = (typeof PRICE_UNITS)[number]["field"];
/** US dollars per displayed unit, as decimals. */
export type ShownPrice = Readonly<Record<PriceField, string>>;

export type ShownRoute = {
  supplier: string;
  region: string;
  isDraining: boolean;
  /** Whether the supplier is known not to store requests. */
  keepsNothing: boolean;
  price: ShownPrice;
};

/** A model on public pages. Routes are in the order of attempts. */
export type ShownModel = {
  id: string;
  ownedBy: string;
  capability: Capability;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** Null: unknown. */
  tools: boolean | null;
  images: boolean | null;
  lifecycle: Lifecycle | null;
  /** Time from which the provider no longer serves the model; null: unknown. */
  retiresAt: Date | null;
  /** How many of its suppliers with a price are known not to store requests. */
  zeroDataRetention: "all" | "some" | "none";
  /** A sandbox model that fails on purpose. */
  isFault: boolean;
  regions: readonly string[];
  routes: readonly ShownRoute[];
};

/** Name, endpoint and relevant parts of the price of each capability. */
export const CAPABILITY_NOTES: Readonly<
  Record<Capability, { name: string; endpoint: string; fields: readonly PriceField[] }>
> = {
  chat: {
    name: "Chat",
    endpoint: "/v1/chat/completions, /v1/messages",
    fields: ["inputPerMtok", "cachedInputPerMtok", "cacheWritePerMtok", "outputPerMtok", "perRequest"],
  },
  embedding: { name: "Embeddings", endpoint: "/v1/embeddings", fields: ["inputPerMtok", "perRequest"] },
  rerank: { name: "Rerank", endpoint: "/v1/rerank", fields: ["perRequest", "inputPerMtok"] },
  moderation: { name: "Moderation", endpoint: "/v1/moderations", fields: ["inputPerMtok", "perRequest"] },
  image: {
    name: "Images",
    endpoint: "/v1/images/generations, /v1/images/edits",
    fields: ["perRequest", "inputPerMtok", "outputPerMtok"],
  },
  transcription: {
    name: "Speech to text",
    endpoint: "/v1/audio/transcriptions, /v1/audio/translations",
    fields: ["perSecond", "inputPerMtok", "outputPerMtok", "perRequest"],
  },
  speech: { name: "Text to speech", endpoint: "/v1/audio/speech", fields: ["perMchar", "inputPerMtok", "perRequest"] },
};

const isZero = (amount: string) => /^[0.]*$/.test(amount);

/** Returns the price parts that matter for models of one capability: those above zero for at least one model. */
export function shownUnits(capability: Capability, models: readonly ShownModel[]) {
  const { fields } = CAPABILITY_NOTES[capability];
  const units = fields.flatMap((field) => PRICE_UNITS.filter((unit) => unit.field === field));
  return units.filter(({ field }) => models.some(({ routes }) => routes.some(({ price }) => !isZero(price[field]))));
}

/** Formats a price part over all routes in a language: one amount, or a range from minimum to maximum. */
export function amountOf({ routes }: ShownModel, field: PriceField, language: string): string {
  const amounts = [...new Set(routes.map(({ price }) => price[field]))].toSorted((a, b) => Number(a) - Number(b));
  const [minimum = "0.00"] = amounts;
  const maximum = amounts.at(-1) ?? minimum;
  if (isZero(maximum)) return "–";
  const [from, to] = [minimum, maximum].map((amount) => decimalUsdText(amount, language));
  return minimum === maximum ? `${from}` : `${from} – ${to}`;
}

export const wholeNumber = (value: number): string => value.toLocaleString("en-US");
