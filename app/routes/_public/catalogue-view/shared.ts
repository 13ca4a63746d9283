import type { Capability, Lifecycle, PriceList } from "~/domain/catalogue/shared";
import { decimalUsdText } from "~/ui/format";

/** The parts of a price as people read them: `times` turns the stored unit into the shown one. */
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
/** US dollars for the shown unit, as decimals. */
export type ShownPrice = Readonly<Record<PriceField, string>>;

export type ShownRoute = {
  supplier: string;
  region: string;
  isDraining: boolean;
  /** It is known to keep nothing of what it is sent. */
  keepsNothing: boolean;
  price: ShownPrice;
};

/** A model as public pages show it. Routes come in the order in which they are tried. */
export type ShownModel = {
  id: string;
  ownedBy: string;
  capability: Capability;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** Null: nobody has said. */
  tools: boolean | null;
  images: boolean | null;
  lifecycle: Lifecycle | null;
  /** When its owner stops serving it; null: nobody has said. */
  retiresAt: Date | null;
  /** Of its suppliers with a price, which are known to keep nothing: all of them, some, or none. */
  zeroDataRetention: "all" | "some" | "none";
  /** A model of the sandbox that fails on purpose. */
  isFault: boolean;
  regions: readonly string[];
  routes: readonly ShownRoute[];
};

/** What each capability is called, where it is called, and which parts of a price can matter. */
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

/** The parts of a price that matter for some models of one capability: those that cost something at one of them. */
export function shownUnits(capability: Capability, models: readonly ShownModel[]) {
  const { fields } = CAPABILITY_NOTES[capability];
  const units = fields.flatMap((field) => PRICE_UNITS.filter((unit) => unit.field === field));
  return units.filter(({ field }) => models.some(({ routes }) => routes.some(({ price }) => !isZero(price[field]))));
}

/** A part of a price over all routes, written as a language does: one amount, or the least and the most. */
export function amountOf({ routes }: ShownModel, field: PriceField, language: string): string {
  const amounts = [...new Set(routes.map(({ price }) => price[field]))].toSorted((a, b) => Number(a) - Number(b));
  const [minimum = "0.00"] = amounts;
  const maximum = amounts.at(-1) ?? minimum;
  if (isZero(maximum)) return "–";
  const [from, to] = [minimum, maximum].map((amount) => decimalUsdText(amount, language));
  return minimum === maximum ? `${from}` : `${from} – ${to}`;
}

export const wholeNumber = (value: number): string => value.toLocaleString("en-US");
