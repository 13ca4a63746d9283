import type { PageHandle } from "~/ui/page-handle";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/certifications");

export const loader = ({ context }: Route.LoaderArgs) => readContentPage("certifications", context);

export default function Certifications({ loaderData: { content } }: Route.ComponentProps) {
  return <ContentBands content={content} />;
}
