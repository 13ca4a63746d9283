import { pageLoader } from "~/access/portal/page-loader.server";
import { apiError } from "~/errors/app-error";

/** Every dashboard path without a route: the error page within the dashboard's frame. */
export const loader = pageLoader({ allow: "signed-in" }, (): null => {
  throw apiError("not_found");
});

export const action = async (): Promise<null> => {
  throw apiError("not_found");
};

export default function Unknown() {
  return null;
}
