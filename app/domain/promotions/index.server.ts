export {
  createPromotion,
  listPromotions,
  readPromotion,
  updatePromotion,
} from "./administer";
export { applyPromotions } from "./apply";
export { readPromotionsLeft, redeemCode } from "./redeem";
