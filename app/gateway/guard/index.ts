export { guardInput } from "./input";
export { guardOutput, guardStream } from "./output";
