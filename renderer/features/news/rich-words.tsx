import type { ReactNode } from 'react'
import type { RichText, RichTextNode } from '../../../contract/news'
import styles from './article.module.css'
import { Picture } from './picture'
import { PlainWords } from './plain-words'
import { WebLink } from './web-link'

/** Formatted text, rendered from the tree that main parsed. */
export function RichWords({ text }: { readonly text: RichText }): ReactNode {
  return text.map((node, index) => <Node key={index} node={node} />)
}

function Node({ node }: { readonly node: RichTextNode }): ReactNode {
  switch (node.kind) {
    case 'text':
      return <PlainWords text={node.text} />
    case 'bold':
      return (
        <strong>
          <RichWords text={node.children} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <RichWords text={node.children} />
        </em>
      )
    case 'paragraph':
      // Not a `p` element: a server may nest paragraphs.
      return (
        <div className={styles.paragraph}>
          <RichWords text={node.children} />
        </div>
      )
    case 'code':
      return <code className={styles.inlineCode}>{node.text}</code>
    case 'link':
      return (
        <WebLink url={node.url}>
          <LinkWords text={node.children} />
        </WebLink>
      )
    case 'list': {
      const List = node.ordered ? 'ol' : 'ul'
      return (
        <List className={styles.list}>
          {node.items.map((item, index) => (
            <li key={index}>
              <RichWords text={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'image':
      return <Picture picture={node.image} alt={node.alt} />
    case 'break':
      return <br />
  }
}

/** Text inside a link, where nothing else can be clicked. */
function LinkWords({ text }: { readonly text: RichText }): ReactNode {
  return text.map((node, index) => {
    switch (node.kind) {
      case 'text':
      case 'code':
        return <span key={index}>{node.text}</span>
      case 'image':
        return <Picture key={index} picture={node.image} alt={node.alt} />
      case 'break':
        return ' '
      case 'list':
        return node.items.map((item, at) => <LinkWords key={`${index}.${at}`} text={item} />)
      case 'bold':
      case 'italic':
      case 'paragraph':
      case 'link':
        return <LinkWords key={index} text={node.children} />
    }
  })
}
