export { deleteFile, findFile, finishFile, keepFile, listFiles, purgeFiles, readFile, writeFile } from "./files";
