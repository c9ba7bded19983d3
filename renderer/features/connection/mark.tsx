import type { ReactNode } from 'react'
import type { Tone } from '../../../contract/connection'
import styles from './connection.module.css'

/** The causeway: two banks and the way across. Its shape tells the state as its colour does. */
export function Mark({ tone }: { readonly tone: Tone }): ReactNode {
  return (
    <svg viewBox="0 0 48 48" className={styles.mark} data-tone={tone} aria-hidden>
      <circle cx="24" cy="24" r="24" className={styles.markGround} />
      <g fill="none" stroke="currentColor" strokeWidth="3.5" strokeLinecap="round" strokeLinejoin="round">
        <path d="M10 28v-8h7M38 28v-8h-7" />
        {tone === 'on' && <path d="M17 20h14" />}
        {tone === 'working' && <path d="M21.5 20h0M26.5 20h0" />}
        {tone === 'trouble' && <path d="M21 17l6 6M27 17l-6 6" />}
      </g>
    </svg>
  )
}
