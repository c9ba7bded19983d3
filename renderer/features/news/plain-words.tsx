import type { ReactNode } from 'react'
import styles from './article.module.css'
import { textParts } from '../../ui/text-parts'
import { useNewsStore } from './use-news'
import { WebLink } from './web-link'

/** Plain text with clickable hashtags and links. */
export function PlainWords({ text }: { readonly text: string }): ReactNode {
  return textParts(text).map((part, index) => {
    switch (part.kind) {
      case 'text':
        return <span key={index}>{part.text}</span>
      case 'hashtag':
        return <Hashtag key={index} hashtag={part.text} />
      case 'link':
        return <WebLink key={index} url={part.url} />
    }
  })
}

function Hashtag({ hashtag }: { readonly hashtag: string }): ReactNode {
  const store = useNewsStore()
  return (
    <button
      type="button"
      className={styles.hashtag}
      onClick={() => {
        store.search(hashtag)
      }}
    >
      {hashtag}
    </button>
  )
}
