import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** Short facts in a row, without missing ones. Each keeps its own direction, so that a name doesn't move a date. */
export function Facts({ facts }: { readonly facts: readonly (string | undefined)[] }): ReactNode {
  return facts
    .filter((fact) => fact !== undefined && fact !== '')
    .map((fact, index, { length }) => (
      // Facts never change their order.
      <Fragment key={index}>
        <span className={styles.fact}>
          <bdi>{fact}</bdi>
          {index < length - 1 && ' ·'}
        </span>{' '}
      </Fragment>
    ))
}
