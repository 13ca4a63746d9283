export { deleteResponse, findItems, findResponse, purgeStoredResponses, saveResponse } from "./responses";
