import { config } from "~/config.server";
import { plainTextOf } from "~/content/plain-text";
import { readMarkdown } from "~/content/read-markdown.server";
import { fillPlaceholders } from "./fill-placeholders";
import { ACCEPTED_NAMES, type LegalDocument, type LegalName } from "./shared";
import { newestVersion, SOURCES, sourceOf } from "./sources.server";

/**
 * A legal document with the operator's details filled in: the version in force, or the one asked for. Null when there is
 * no such version. Details that are not configured stand in `missing`, and the text says so in their place.
 */
export function legalDocument(name: LegalName, version?: string): LegalDocument | null {
  const requested = version ?? newestVersion(name);
  const source = sourceOf(name, requested);
  if (source === null) return null;
  const filled = fillPlaceholders(source, config().operator);
  const { title, blocks } = readMarkdown(filled.text);
  const first = blocks.find((block) => block.kind === "paragraph");
  return {
    name,
    title,
    version: requested,
    summary: first ? plainTextOf(first.inner) : title,
    isCurrent: requested === newestVersion(name),
    blocks,
    outline: blocks.flatMap((block) =>
      block.kind === "heading" && block.level === 2 ? [{ id: block.id, title: plainTextOf(block.inner) }] : [],
    ),
    missing: filled.missing,
  };
}

/** The versions of a document, newest first: ISO dates. */
export const legalVersions = (name: LegalName): string[] => Object.keys(SOURCES[name]).toSorted().toReversed();

/**
 * The version that people accept: the newest day on which any of the documents they accept has changed. It grows with
 * every change that has to be accepted again, and only then.
 */
export const currentLegalVersion = (): string => ACCEPTED_NAMES.map(newestVersion).toSorted().at(-1) as string;
