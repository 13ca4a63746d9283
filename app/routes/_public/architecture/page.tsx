import type { PageHandle } from "~/ui/page-handle";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";
import { Picture } from "./Picture";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/architecture");

export const loader = ({ context }: Route.LoaderArgs) => readContentPage("architecture", context);

export default function Architecture({ loaderData: { content } }: Route.ComponentProps) {
  return <ContentBands content={content} parts={{ components: { Picture: (words) => <Picture words={words} /> } }} />;
}
