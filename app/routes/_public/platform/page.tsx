import type { PageHandle } from "~/ui/page-handle";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/platform");

export const loader = ({ context }: Route.LoaderArgs) => readContentPage("platform", context);

export default function Platform({ loaderData: { content } }: Route.ComponentProps) {
  return <ContentBands content={content} />;
}
