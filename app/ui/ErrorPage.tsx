import { useDocumentFacts } from "./document-context";
import { ErrorContent } from "./ErrorContent";
import type { ErrorPageText } from "./error-page-text";
import { PublicPage } from "./PublicPage";

/** A page of its own that says what went wrong. */
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
