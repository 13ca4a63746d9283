export { applyConfigFile } from "./apply-file";
export { catalogue, catalogueFileOf, loadCatalogue, startCatalogue } from "./current-catalogue";
export { readPriceList } from "./load-catalogue";
export { readCatalogueFile } from "./read-file";
