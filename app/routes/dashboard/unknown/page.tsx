import { pageLoader } from "~/access/portal/page-loader.server";
import { apiError } from "~/errors/app-error";

/** Every path of the dashboard that is not in the table: the page of the problem, within the frame of the dashboard. */
export const loader = pageLoader({ allow: "signed-in" }, (): null => {
  throw apiError("not_found");
});

export const action = async (): Promise<null> => {
  throw apiError("not_found");
};

export default function Unknown() {
  return null;
}
