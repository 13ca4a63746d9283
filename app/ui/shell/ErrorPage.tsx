import { useDocumentFacts } from "./document-context";
import { ErrorContent } from "./ErrorContent";
import type { ErrorPageText } from "./error-page-text";
import { PublicPage } from "./PublicPage";

/** A full error page, with its own frame. */
export function ErrorPage(error: ErrorPageText) {
  const { signedIn } = useDocumentFacts();
  return (
    <PublicPage>
      <div className="pt-16 sm:pt-24">
        <ErrorContent {...error} signedIn={signedIn} />
      </div>
    </PublicPage>
  );
}
