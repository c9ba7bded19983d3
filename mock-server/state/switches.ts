import { z } from 'zod'

type Shape = Record<string, z.ZodDefault>

/**
 * Settings of a part of the mock that scenarios and control calls change until the next scenario. One schema defines
 * their names, types, meanings and normal values.
 */
export class Switches<S extends Shape> {
  /** The schema of all values. */
  readonly schema: z.ZodObject<S>
  /** The schema of a change: some of the values, but at least one. */
  readonly change: z.ZodType<Partial<z.output<z.ZodObject<S>>>>
  #values: z.output<z.ZodObject<S>>

  /** Every field of the shape has a description and a default, its normal value. */
  constructor(shape: S) {
    this.schema = z.strictObject(shape)
    const optional = Object.entries(shape).map(([name, field]) => [name, z.optional(field.unwrap())])
    this.change = z
      .strictObject(Object.fromEntries(optional))
      .refine((change) => Object.keys(change).length > 0, { error: 'must name what to change' })
      .meta({ minProperties: 1 }) as unknown as typeof this.change
    this.#values = this.schema.parse({})
  }

  get values(): z.output<z.ZodObject<S>> {
    return this.#values
  }

  /** Changes these values and keeps the others. */
  set(change: Partial<z.output<z.ZodObject<S>>>): void {
    this.#values = { ...this.#values, ...change }
  }

  /** Goes back to the normal values. */
  revert(): void {
    this.#values = this.schema.parse({})
  }
}
