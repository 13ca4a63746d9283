export { guardInput } from "./input";
export { guardOutput } from "./output";
