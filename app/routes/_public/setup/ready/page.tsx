import { href } from "react-router";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import type { Route } from "./+types/page";

export const handle: PageHandle = { plain: true };

export const meta: Route.MetaFunction = () => [
  { title: "Your account is ready · gw" },
  { name: "robots", content: "noindex" },
];

export default function SetupReady() {
  return (
    <PublicPage>
      <div className="mx-auto max-w-[26rem] pt-10 sm:pt-14">
        <h1 className="text-[28px] leading-tight tracking-[-0.025em]">Your account is ready</h1>
        <p className="mt-3 text-ink-2">
          Its address and password are saved, and the set-up link no longer works. Sign-in arrives with the portal;
          until then the root admin key manages everything through the API.
        </p>
        <p className="mt-6">
          <a href={`${href("/")}#first-call`} className="button button-primary">
            Make the first call
          </a>
        </p>
      </div>
    </PublicPage>
  );
}
