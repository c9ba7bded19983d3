import { z } from 'zod'
import { int, isSome } from '../schemas'

type Shape = Record<string, z.ZodDefault>
type Values<S extends Shape> = z.output<z.ZodObject<S>>

/** The names, types, meanings and normal values of the settings of a part, from which scenarios and control calls are made. */
export interface SwitchDefinitions<S extends Shape> {
  schema: z.ZodObject<S>
  /** The schema of a change: some of the values, but at least one. */
  change: z.ZodType<Partial<Values<S>>>
  normal: Values<S>
}

export const flag = (meaning: string) => z.boolean().describe(meaning).default(false)
export const delaySeconds = (meaning: string) => z.number().min(0).max(1e9).describe(meaning).default(0)
export const countdown = (meaning: string) => int(0, 1000).describe(meaning).default(0)

/** Defines settings. Every field of the shape has a description and a default, its normal value. */
export function switchDefinitions<S extends Shape>(shape: S): SwitchDefinitions<S> {
  const schema = z.strictObject(shape)
  const optional = Object.entries(shape).map(([name, field]) => [name, z.optional(field.unwrap())])
  const change = z
    .strictObject(Object.fromEntries(optional))
    .refine(isSome, 'must name what to change')
    .meta({ minProperties: 1 }) as unknown as SwitchDefinitions<S>['change']
  return { schema, change, normal: schema.parse({}) }
}

/** Settings of a part of the mock that scenarios and control calls change until the next scenario. */
export class Switches<S extends Shape> {
  readonly #definitions: SwitchDefinitions<S>
  #values: Values<S>

  constructor(definitions: SwitchDefinitions<S>) {
    this.#definitions = definitions
    this.#values = definitions.normal
  }

  get values(): Values<S> {
    return this.#values
  }

  /** Changes some of the values, and returns all. */
  set(change: Partial<Values<S>>): Values<S> {
    return (this.#values = { ...this.#values, ...change })
  }

  /** Returns whether a countdown goes on, and counts. */
  countDown(name: keyof S): boolean {
    const left = Number(this.#values[name as keyof Values<S>])
    if (left > 0) this.#values = { ...this.#values, [name]: left - 1 }
    return left > 0
  }

  revert(): void {
    this.#values = this.#definitions.normal
  }
}
