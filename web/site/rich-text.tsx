// Renders a Markdown text as elements; it is never parsed as HTML.

import type { ReactNode } from 'react';
import type { Node } from './content.ts';
import { Link } from './link.tsx';
import { pathOf } from './runtime/paths.ts';

export function RichText({ nodes }: { readonly nodes: readonly Node[] }): ReactNode {
  // The tree never changes, so the index identifies a node.
  return nodes.map((node, index) => <One key={String(index)} node={node} />);
}

function One({ node }: { readonly node: Node }): ReactNode {
  if (typeof node === 'string') return node;
  const children = <RichText nodes={node.children} />;
  if (node.tag !== 'a') {
    const { tag: Tag, id } = node;
    return <Tag {...(id === undefined ? {} : { id })}>{children}</Tag>;
  }
  const { href } = node;
  if (href.startsWith('/')) return <Link to={pathOf(href)}>{children}</Link>;
  return <a href={href}>{children}</a>;
}
