import type { RichText, RichTextNode } from '../../../contract/news'

const maxLength = 300

/** Returns the beginning of a text as one line without formatting. */
export function plainExcerpt(text: RichText): string {
  let excerpt = ''
  for (const node of text) {
    if (excerpt.length >= maxLength) break
    excerpt += nodeText(node)
  }
  const line = excerpt.replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
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
