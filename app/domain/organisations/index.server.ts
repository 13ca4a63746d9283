export { type Foundation, foundFirstOrganisation, slugOf } from "./found-first";
