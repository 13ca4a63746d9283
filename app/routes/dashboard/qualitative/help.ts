import { helpEndpoint } from "~/routes/dashboard/help.server";

const help = helpEndpoint("qualitative", "/dashboard/qualitative");

export const loader = help;
export const action = help;
