// Markdown texts as trees, which the build makes. They contain no HTML, so rendering needs no `innerHTML`.

export type Node =
  | string
  | {
      readonly tag: 'h2' | 'h3' | 'p' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 'code' | 'pre';
      readonly id?: string;
      readonly children: readonly Node[];
    }
  | { readonly tag: 'a'; readonly href: string; readonly children: readonly Node[] };

export interface Question {
  readonly question: string;
  readonly answer: readonly Node[];
}

export interface PolicyText {
  readonly title: string;
  /** The date of the last change, in ISO format. */
  readonly updated: string;
  /** The same date in the format of the language. */
  readonly updatedText: string;
  readonly body: readonly Node[];
}

/** A package of other authors that the site contains. */
export interface NoticePackage {
  readonly name: string;
  /** Empty if it has none. */
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
}

/** A licence with its copyright notice, and the packages that contain it. */
export interface Notice {
  readonly packages: readonly NoticePackage[];
  readonly text: string;
}

/** Returns the text without formatting; blocks and list items are separated by a space. */
export function plainText(nodes: readonly Node[]): string {
  const text = nodes.map((node) => {
    if (typeof node === 'string') return node;
    const inner = plainText(node.children);
    return /^(h2|h3|p|li|ul|ol|pre)$/.test(node.tag) ? `${inner} ` : inner;
  });
  return text.join('').replace(/\s+/g, ' ').trim();
}
