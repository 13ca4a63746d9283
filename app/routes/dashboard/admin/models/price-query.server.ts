import { z } from "zod";
import type { PricePlace } from "~/domain/catalogue/shared";
import { issue } from "~/errors/message";
import { Id, orNothing } from "~/http/body/fields";
import { CATALOGUE_FILTERS } from "./filters";
import { TABS } from "./shared";

export const PAGE_SIZE = 50;

const Place = z.tuple([z.string().max(200), z.int(), z.int(), z.int()]);

/** The query of the models page. */
export const AdminModelsQuery = z.object({
  tab: z.enum(TABS).default("suppliers"),
  ...CATALOGUE_FILTERS.query,
  /** The route whose price the form shows. */
  edit: orNothing(Id),
  /** Upstream name of a model without a price, and its supplier: initial values of the form. */
  serve: orNothing(z.string().max(200)),
  by: orNothing(Id),
  after: orNothing(
    z
      .string()
      .max(800)
      .transform((word, context) => {
        const place = placeOf(word);
        if (place === null) context.addIssue({ code: "custom", message: issue("problems:listPlace") });
        return place;
      }),
  ),
});

/** Encodes a list position as one opaque token for the address. */
export const wordOf = ({ modelId, priority, weight, id }: PricePlace): string =>
  Buffer.from(JSON.stringify([modelId, priority, weight, id])).toString("base64url");

function placeOf(word: string): PricePlace | null {
  try {
    const read = Place.safeParse(JSON.parse(Buffer.from(word, "base64url").toString("utf8")));
    if (!read.success || read.data[0].includes("\0")) return null;
    const [modelId, priority, weight, id] = read.data;
    return [priority, weight, id].every((value) => Math.abs(value) < 2 ** 31)
      ? { modelId, priority, weight, id }
      : null;
  } catch {
    return null;
  }
}
