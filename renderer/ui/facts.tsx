import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** Short facts in a row, those that there are; each keeps its own direction, so that a name does not move a date. */
export function Facts({ facts }: { readonly facts: readonly (string | undefined)[] }): ReactNode {
  return facts
    .filter((fact) => fact !== undefined && fact !== '')
    .map((fact, index, { length }) => (
      // They never change places.
      <Fragment key={index}>
        <span className={styles.fact}>
          <bdi>{fact}</bdi>
          {index < length - 1 && ' ·'}
        </span>{' '}
      </Fragment>
    ))
}
