import { data } from "react-router";
import { config } from "~/config.server";
import { legalDocument, legalVersions } from "~/legal/index.server";
import { LEGAL_NAMES, type LegalName } from "~/legal/shared";

/** Returns a legal document for its page: the current version, or that of `?version=`. */
export function readLegal(request: Request, name: LegalName) {
  const version = new URL(request.url).searchParams.get("version") ?? undefined;
  const document = legalDocument(name, version);
  if (document === null) throw data(null, { status: 404 });
  return {
    baseUrl: config().baseUrl,
    document,
    versions: legalVersions(name),
    others: LEGAL_NAMES.map((other) => ({ name: other, title: legalDocument(other)?.title ?? other })),
  };
}
