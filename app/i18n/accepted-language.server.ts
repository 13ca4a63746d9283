import Negotiator from "negotiator";
import { isLanguage, LANGUAGES, type Language } from "./languages";

/** Longer than the header of any browser; the rest of a longer one is ignored. */
const MAX_HEADER_LENGTH = 500;

/**
 * Returns the best portal language for an Accept-Language header; English if the header asks for none of them. "de-AT"
 * selects German with its own weight: the lookup of RFC 4647, section 3.4, ignores the weight of a plain "de" later in
 * the header.
 */
export function acceptedLanguage(header: string | null): Language {
  const wishes = new Negotiator({
    headers: { "accept-language": (header ?? "").slice(0, MAX_HEADER_LENGTH) },
  }).languages();
  return wishes.map((tag) => tag.toLowerCase().split("-")[0]).find(isLanguage) ?? LANGUAGES[0];
}
