import { z } from "zod";
import type { PricePlace } from "~/domain/catalogue/shared";
import { issue } from "~/errors/message";
import { Id, orNothing, SearchText } from "~/http/fields";
import { TABS } from "./shared";

export const PAGE_SIZE = 50;

const Place = z.tuple([z.string().max(200), z.int(), z.int(), z.int()]);

/** The query of the page of models; what it says of prices is for their tab. */
export const AdminModelsQuery = z.object({
  tab: z.enum(TABS).default("suppliers"),
  q: orNothing(SearchText),
  supplier: orNothing(z.string().max(200)),
  price: orNothing(z.enum(["none"])),
  /** The way to serve a model whose price the form shows. */
  edit: orNothing(Id),
  /** A model that has no price yet, as its supplier calls it, and that supplier: the form begins with them. */
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

/** A place of the list as one opaque word for its address. */
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
