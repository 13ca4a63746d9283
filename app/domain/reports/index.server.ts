export {
  askedBy,
  headerOf,
  lineOf,
  measuresAnswer,
  type ReportQuestion,
  readResult,
  reportRows,
  rowAnswer,
} from "./answer";
export { createReport, deleteReport, listReports, readReport, renameReport } from "./reports";
