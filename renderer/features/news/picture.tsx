import { useState, type ReactNode } from 'react'
import type { Picture as PictureItem } from '../../../contract/news'
import styles from './article.module.css'

/** Picture that main fetches. If it fails, its alternative text is shown. */
export function Picture({
  picture: { imageId, width, height },
  alt,
  className,
}: {
  readonly picture: PictureItem
  readonly alt: string
  readonly className?: string | undefined
}): ReactNode {
  const [missing, setMissing] = useState<string>()
  if (missing === imageId) return alt === '' ? null : <span className={styles.missing}>{alt}</span>
  return (
    <img
      className={className ?? styles.picture}
      src={`app://causeway/images/${imageId}`}
      alt={alt}
      loading="lazy"
      draggable={false}
      {...(width === undefined || height === undefined ? {} : { width, height })}
      onError={() => {
        setMissing(imageId)
      }}
    />
  )
}
