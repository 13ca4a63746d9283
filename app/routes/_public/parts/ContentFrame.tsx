import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { MetaDescriptor } from "react-router";
import type { Content } from "~/content/shared";
import { useDocumentFacts } from "~/ui/document-context";
import { PublicPage } from "~/ui/PublicPage";
import { Inlines } from "./Blocks";
import { type ContentParts, ContentPartsContext } from "./content-parts";
import { pageHead } from "./describe-page";
import { PageIntro } from "./PageIntro";
import { ReadNext } from "./ReadNext";

type Page = { content: Content; parts?: ContentParts };

/** The head of a page of prose; its loader answers `baseUrl` and `content`. */
export function contentHead(path: string) {
  return ({ loaderData }: { loaderData?: { baseUrl: string; content: Content } }): MetaDescriptor[] =>
    loaderData === undefined ? [] : pageHead({ ...loaderData.content, path }, loaderData.baseUrl);
}

/** What all pages of prose have: header and footer, their beginning, and where to read on. `intro`: another beginning. */
export function ContentFrame({
  content,
  parts = {},
  intro,
  children,
}: Page & { intro?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation("public");
  return (
    <ContentPartsContext value={parts}>
      <PublicPage lang={content.language}>
        {intro ?? (
          <PageIntro title={content.heading} lead={<Inlines of={content.lead} />}>
            {content.actions.length > 0 ? <Actions actions={content.actions} /> : null}
          </PageIntro>
        )}
        {children}
        {content.next.length > 0 ? (
          <ReadNext
            title={t("readOn")}
            links={content.next.map(({ href, name, text }) => [href, name, text] as const)}
          />
        ) : null}
      </PublicPage>
    </ContentPartsContext>
  );
}

/** What one can do at once: the first is what most people want. Nobody is sent to a sign-up that is closed or behind them. */
export function Actions({ actions }: { actions: Content["actions"] }) {
  const { openSignUp, signedIn } = useDocumentFacts();
  const open = actions.filter(({ href }) => href !== "/signup" || (openSignUp && !signedIn));
  return open.map(({ href, name }, place) => (
    <a key={href} href={href} className={place === 0 ? "button button-primary" : "button"}>
      {name}
    </a>
  ));
}
