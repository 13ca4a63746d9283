import Negotiator from "negotiator";
import { isLanguage, LANGUAGES, type Language } from "./languages";

/** Longer than any browser's; what a stranger writes behind it is not worth reading. */
const MAX_HEADER_LENGTH = 500;

/**
 * The best of our languages for an Accept-Language header; English when it asks for none of them. "de-AT" asks for German,
 * as much as it says: it is looked up (RFC 4647, section 3.4), not weighed against a plain "de" further on.
 */
export function acceptedLanguage(header: string | null): Language {
  const wishes = new Negotiator({
    headers: { "accept-language": (header ?? "").slice(0, MAX_HEADER_LENGTH) },
  }).languages();
  return wishes.map((tag) => tag.toLowerCase().split("-")[0]).find(isLanguage) ?? LANGUAGES[0];
}
