import { config } from "~/config.server";
import type { PageHandle } from "~/ui/page-handle";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";
import { Operator } from "./Operator";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/contact");

export const loader = ({ context }: Route.LoaderArgs) => ({
  ...readContentPage("contact", context),
  operator: config().operator,
});

export default function Contact({ loaderData: { content, operator } }: Route.ComponentProps) {
  const isSilent = Object.values(operator).every((value) => value === null);
  return (
    <ContentBands
      content={content}
      parts={{
        holds: { silent: isSilent },
        components: { Operator: (words) => (isSilent ? null : <Operator operator={operator} words={words} />) },
      }}
    />
  );
}
