export { ARCHIVE_NAME, type Package, packageOf, type Result, resultsOf } from './archive.ts';
export { download } from './download.ts';
