export { readActs, recordAct } from "./acts";
