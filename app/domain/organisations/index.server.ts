export { foundFirstOrganisation, slugOf } from "./found-first";
