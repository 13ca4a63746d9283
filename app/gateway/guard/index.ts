export { type GuardedCall, guardedAsSent, guardInput } from "./input";
export { outgoingBody } from "./outgoing-body";
export { guardOutput, guardStream } from "./output";
export { withoutPlaces } from "./without-field";
