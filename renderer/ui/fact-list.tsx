import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

/** Names and values of an item (`Fact`). */
export function FactList({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className={styles.facts}>{children}</dl>
}

/** A name with its value or values. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
