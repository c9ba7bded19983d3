import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './article.module.css'
import { useNewsStore } from './use-news'

/** Link that opens in the browser. Shows its host, whatever its text says. */
export function WebLink({
  url,
  children,
}: {
  readonly url: string
  readonly children?: ReactNode
}): ReactNode {
  const store = useNewsStore()
  return (
    <a
      className={styles.link}
      href={url}
      title={url}
      draggable={false}
      onClick={(event) => {
        event.preventDefault()
        void store.openLink(url)
      }}
    >
      {children !== undefined && <span className={styles.linkText}>{children}</span>}{' '}
      <span className={styles.host}>
        <IconExternalLink size={14} aria-hidden />
        {hostOf(url)}
      </span>
    </a>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
