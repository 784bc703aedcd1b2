/** The first bytes of the files of pretend.worker.ts. */
export const SVG_HEAD = '<svg><!-- an image follows -->';
