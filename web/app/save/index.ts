export { DOWNLOAD_NAME, type Download, makeArchive, makeDownload } from './archive.ts';
export { type FileToSave, filesToSave, flattened, type NamedFile } from './files.ts';
export { download, exampleName, resultFiles, savedMessage, saveResults, type Writer } from './save-results.ts';
