export { deleteFile, findFile, finishFile, listFiles, purgeFiles, readFile, writeFile } from "./files";
