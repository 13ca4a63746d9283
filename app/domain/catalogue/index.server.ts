export { readAdminCatalogue, readAdminPrices } from "./administer/admin-view";
export { countAdminCatalogue } from "./administer/admin-view-store";
export { readExtraNames, setExtra } from "./administer/administer-extras";
export { setOrder } from "./administer/administer-order";
export {
  type PricePreview,
  previewPrice,
  type RoutePrice,
  readRoutePrice,
  setPrice,
} from "./administer/administer-prices";
export { setProfile } from "./administer/administer-profile";
export { createSupplier, deleteSupplier, updateSupplier } from "./administer/administer-suppliers";
export {
  catalogue,
  catalogueFileOf,
  catalogueOf,
  loadCatalogue,
  servedProviders,
  startCatalogue,
} from "./current-catalogue";
export { applyConfigFile } from "./file/apply-file";
export { readCatalogueFile } from "./file/read-file";
export { importModels } from "./import-models";
export { learnRefusal, readRefusals, refusedFields } from "./learned";
export { readPriceList, readSupplier } from "./load-catalogue";
export { priceSnapshot } from "./presets/price-list";
export { suggestPrice } from "./presets/suggest";
export type { PriceChange, TierChange } from "./price-change";
export { applyPrices, exportPrices, previewPrices } from "./price-file/apply";
export { readPriceHistory } from "./price-history";
export { watchCatalogue } from "./reload";
export { recordSupplierTest } from "./supplier-test";
