import { useDocumentFacts } from "./document-context";
import { ErrorContent } from "./ErrorContent";
import type { ErrorPageText } from "./error-page-text";
import { PublicPage } from "./PublicPage";

/** A full error page, with its own frame. */
export function ErrorPage(problem: ErrorPageText) {
  const { signedIn } = useDocumentFacts();
  return (
    <PublicPage>
      <div className="pt-16 sm:pt-24">
        <ErrorContent {...problem} signedIn={signedIn} />
      </div>
    </PublicPage>
  );
}
