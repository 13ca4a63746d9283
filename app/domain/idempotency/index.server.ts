export { bookAnswered, claimKey, purgeAnswers, purgeOldAnswers, releaseKey, storeAnswer } from "./claim";
export { answerOnce } from "./managed";
