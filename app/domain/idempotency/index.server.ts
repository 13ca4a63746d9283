export { bookAnswered, claimKey, keepAnswer, purgeAnswers, purgeOldAnswers, releaseKey } from "./claim";
export { answerOnce } from "./managed";
