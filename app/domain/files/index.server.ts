export { deleteFile, extendFile, findFile, finishFile, listFiles, purgeFiles, readFile, writeFile } from "./files";
