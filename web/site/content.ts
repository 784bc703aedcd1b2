// Texts that were written in Markdown, as the tree that the build makes of them. There is no HTML in it, so showing it
// needs no `innerHTML`.

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
  /** ISO date of the last change, and the same as people of the language write it. */
  readonly updated: string;
  readonly updatedText: string;
  readonly body: readonly Node[];
}

/** The text without its marks, blocks and list items set apart by a space. */
export function plainText(nodes: readonly Node[]): string {
  const text = nodes.map((node) => {
    if (typeof node === 'string') return node;
    const inner = plainText(node.children);
    return /^(h2|h3|p|li|ul|ol|pre)$/.test(node.tag) ? `${inner} ` : inner;
  });
  return text.join('').replace(/\s+/g, ' ').trim();
}
