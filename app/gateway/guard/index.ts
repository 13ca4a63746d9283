export { guardedAsSent, guardInput } from "./input";
export { guardOutput, guardStream } from "./output";
