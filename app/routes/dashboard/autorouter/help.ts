import { helpEndpoint } from "~/routes/dashboard/help.server";

const help = helpEndpoint("autorouter", "/dashboard/autorouter");

export const loader = help;
export const action = help;
