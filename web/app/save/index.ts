export { DOWNLOAD_NAME, type Download, makeArchive } from './archive.ts';
export { type FileToSave, filesToSave, flattened } from './files.ts';
export { download, exampleName, resultFiles, savedMessage, saveResults, type Writer } from './save-results.ts';
