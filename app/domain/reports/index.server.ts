export { createReport, deleteReport, listReports, readReport, renameReport } from "./reports";
