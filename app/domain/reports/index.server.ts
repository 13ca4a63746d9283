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
export { cancelExport, createExport, listExports, openExport, purgeExports, readExport, readFile } from "./exports";
export { createReport, deleteReport, listReports, readReport, renameReport } from "./reports";
export { beginScheduledRuns, deliverScheduledRuns } from "./run-schedules";
export {
  createSchedule,
  disableSchedule,
  listScheduleRuns,
  listSchedules,
  purgeScheduleRuns,
  reviewRun,
} from "./schedules";
export { writeExports } from "./write-exports";
