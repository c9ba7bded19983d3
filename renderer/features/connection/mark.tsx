import type { ReactNode } from 'react'
import type { Tone } from '../../../contract/describe-connection'
import styles from './connection.module.css'

/** The bridge: complete on a disc when connected, complete in a ring when off, with a gap while connecting, crossed out after a failure, and a barrier where the kill switch blocks. */
export function Mark({ tone, small = false }: { readonly tone: Tone; readonly small?: boolean }): ReactNode {
  return (
    <svg
      viewBox="0 0 48 48"
      className={styles.mark}
      data-tone={tone}
      data-small={small || undefined}
      aria-hidden
    >
      <circle cx="24" cy="24" r="22.5" strokeWidth="3" className={styles.markGround} />
      <g fill="none" stroke="currentColor" strokeWidth="4" strokeLinecap="round" strokeLinejoin="round">
        {tone === 'blocked' ? (
          <path d="M24 10v28M16 16l8 6M16 26l8 6M8 24h8" />
        ) : tone === 'working' ? (
          <path d="M12 31V21h5M36 31V21h-5" />
        ) : (
          <path d="M12 31V21h24v10" />
        )}
        {tone === 'failed' && <path d="M14 38 34 10" />}
      </g>
    </svg>
  )
}
