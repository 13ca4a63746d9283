import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { MetaDescriptor } from "react-router";
import type { Content } from "~/content/shared";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { PublicPage } from "~/ui/shell/PublicPage";
import { Inlines } from "./Blocks";
import { type ContentParts, ContentPartsContext } from "./content-parts";
import { pageHead } from "./describe-page";
import { PageIntro } from "./PageIntro";
import { ReadNext } from "./ReadNext";

type Page = { content: Content; parts?: ContentParts };

/** Returns the `meta` function of a page of prose, whose loader returns `baseUrl` and `content`. */
export function contentHead(path: string) {
  return ({ loaderData }: { loaderData?: { baseUrl: string; content: Content } }): MetaDescriptor[] =>
    loaderData === undefined ? [] : pageHead({ ...loaderData.content, path }, loaderData.baseUrl);
}

/**
 * The frame of all pages of prose: header, footer, introduction, and links to further pages. `intro`: another
 * introduction.
 */
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

/**
 * Action links; the first is the primary one. The link to sign up is hidden if sign-up is closed or the visitor is
 * signed in.
 */
export function Actions({ actions }: { actions: Content["actions"] }) {
  const { openSignUp, signedIn } = useDocumentFacts();
  const open = actions.filter(({ href }) => href !== "/signup" || (openSignUp && !signedIn));
  return open.map(({ href, name }, index) => (
    <a key={href} href={href} className={index === 0 ? "button button-primary" : "button"}>
      {name}
    </a>
  ));
}
