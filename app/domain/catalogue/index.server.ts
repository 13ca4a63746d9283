export { readAdminCatalogue, readAdminPrices } from "./admin-view";
export { countAdminCatalogue } from "./admin-view-store";
export { readExtraNames, setExtra } from "./administer-extras";
export { setOrder } from "./administer-order";
export { type PricePreview, previewPrice, type RoutePrice, readRoutePrice, setPrice } from "./administer-prices";
export { setProfile } from "./administer-profile";
export { createSupplier, deleteSupplier, updateSupplier } from "./administer-suppliers";

export { applyConfigFile } from "./apply-file";
export {
  catalogue,
  catalogueFileOf,
  catalogueOf,
  loadCatalogue,
  servedProviders,
  startCatalogue,
} from "./current-catalogue";
export { importModels } from "./import-models";
export { learnRefusal, readRefusals, refusedFields } from "./learned";
export { readPriceList, readSupplier } from "./load-catalogue";
export { priceSnapshot } from "./presets/price-list";
export { suggestPrice } from "./presets/suggest";
export type { PriceChange, TierChange } from "./price-change";
export { applyPrices, exportPrices, previewPrices } from "./price-file/apply";
export { readPriceHistory } from "./price-history";
export { readCatalogueFile } from "./read-file";
export { watchCatalogue } from "./reload";
export { recordSupplierTest } from "./supplier-test";
