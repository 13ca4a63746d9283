export { bookAnswered, claimKey, forgetAnswers, forgetOldAnswers, keepAnswer, releaseKey } from "./claim";
