import type { RichText, RichTextNode } from '../../../contract/news'

const longest = 300

/** Returns the beginning of a text as one line without formatting. */
export function plainExcerpt(text: RichText): string {
  let excerpt = ''
  for (const node of text) {
    if (excerpt.length >= longest) break
    excerpt += nodeText(node)
  }
  const line = excerpt.replaceAll(/\s+/g, ' ').trim()
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}

function nodeText(node: RichTextNode): string {
  switch (node.kind) {
    case 'text':
    case 'code':
      return node.text
    case 'break':
    case 'image':
      return ' '
    case 'paragraph':
      return `${plainExcerpt(node.children)} `
    case 'list':
      return node.items.map((item) => `${plainExcerpt(item)} `).join('')
    case 'bold':
    case 'italic':
    case 'link':
      return node.children.map(nodeText).join('')
  }
}
