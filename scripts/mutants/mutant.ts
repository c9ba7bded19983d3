import { createHash } from 'node:crypto'

/** A change of a source file that a test should notice. */
export interface Mutant {
  readonly path: string
  readonly source: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Returns the source with the change. */
export function mutated({ source, start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end)
}

/** Returns the mutants in the order of a seed. The place of one doesn't depend on other files. */
export function shuffled(mutants: readonly Mutant[], seed: number): readonly Mutant[] {
  const place = ({ path, source, start, end, text }: Mutant): string => {
    const before = source.slice(0, start).split(source.slice(start, end)).length
    return createHash('sha256')
      .update([seed, path, before, source.slice(start, end), text].join('\0'))
      .digest('hex')
  }
  return mutants
    .map((mutant) => ({ mutant, place: place(mutant) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ mutant }) => mutant)
}

/** Describes a change: the file with its line, and the lines before and after. */
export function diffOf(mutant: Mutant): string {
  const { path, source, start, end } = mutant
  const from = source.lastIndexOf('\n', start - 1) + 1
  const changed = mutated(mutant)
  const lines = (text: string, to: number, sign: string): string => {
    const stop = text.indexOf('\n', to)
    return text.slice(from, stop === -1 ? undefined : stop).replaceAll(/^/gm, `${sign} `)
  }
  const line = source.slice(0, start).split('\n').length
  return `${path}:${line}\n${lines(source, end, '-')}\n${lines(changed, end + changed.length - source.length, '+')}`
}
