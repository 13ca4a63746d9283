export { deleteResponse, findItems, findResponse, keepResponse, purgeStoredResponses } from "./responses";
