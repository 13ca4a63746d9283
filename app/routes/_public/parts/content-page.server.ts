import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { contentOf } from "~/content/index.server";
import type { ContentName } from "~/content/shared";
import { readSite } from "./site.server";

/** Returns a page of prose in the reader's language, and the data for its head. */
export const readContentPage = (name: ContentName, context: Readonly<RouterContextProvider>) => ({
  ...readSite(),
  content: contentOf(name, languageOf(context)),
});
