export { ARCHIVE_NAME, type Download, type FileToSave, filesToSave, makeDownload } from './archive.ts';
