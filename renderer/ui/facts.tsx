import { Fragment, type ReactNode } from 'react'

/** Short facts in a row, those that there are; each keeps its own direction, so that a name does not move a date. */
export function Facts({ facts }: { readonly facts: readonly (string | undefined)[] }): ReactNode {
  return facts
    .filter((fact) => fact !== undefined && fact !== '')
    .map((fact, index) => (
      // They never change places.
      <Fragment key={index}>
        {index > 0 && ' · '}
        <bdi>{fact}</bdi>
      </Fragment>
    ))
}
