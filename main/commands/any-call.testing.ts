import fc from 'fast-check'
import { z } from 'zod'
import { type CommandName, commands } from '../../contract/commands'

export const commandNames = Object.keys(commands) as CommandName[]

type Schema = z.core.JSONSchema.JSONSchema | boolean

/** Texts that somebody who controls the page would try. */
const hostileText = fc.constantFrom(
  ...['', ' ', '0', '-1', '__proto__', '\u0000', '\u202e', 'x'.repeat(3000), 'vpn.example.org\r\nHost: x'],
  ...[
    '../../etc/passwd',
    '/etc/passwd',
    'C:\\',
    '\\\\host\\share',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ],
  ...['http://127.0.0.1:1/', 'https://127.0.0.1:1/', 'system', 'on', 'off', 'nl'],
)

/** Values that a schema mostly allows. */
function nearly(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.anything({ maxDepth: 1 })
  const choices: unknown[] = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (choices.length > 0) return fc.constantFrom(...choices)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return fc.oneof(...variants.map((variant) => nearly(variant, known)))
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
      const values = fields.map(([field, value]) => [field, unlessLucky(value, known)] as const)
      return fc.record(Object.fromEntries(values), { requiredKeys: schema.required ?? [] })
    }
    case 'array':
      return fc.array(nearly(Array.isArray(schema.items) ? true : (schema.items ?? true), known), {
        maxLength: 3,
      })
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, hostileText)
    case 'integer':
      return fc.integer({ min: -1, max: 1000 })
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'null':
    case undefined:
      break
  }
  return fc.anything({ maxDepth: 1 })
}

function unlessLucky(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 19, arbitrary: nearly(schema, known) },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
  )
}

/** Generates one of these commands with an input that is nearly right, or anything at all. `known`: texts that mean something to the app. */
export function anyCall(
  tried: readonly CommandName[],
  known: readonly string[],
): fc.Arbitrary<readonly [unknown, unknown]> {
  const inputs = new Map(
    tried.map((name) => {
      const schema = z.toJSONSchema(commands[name].input, { io: 'input', unrepresentable: 'any' })
      return [name, nearly(schema, known)] as const
    }),
  )
  const nearlyRight = fc
    .constantFrom(...tried.filter((name) => !(commands[name].input instanceof z.ZodVoid)))
    .chain((name) => fc.tuple(fc.constant(name), inputs.get(name) ?? fc.anything()))
  const anything = fc.tuple(
    fc.oneof(fc.constantFrom(...commandNames), fc.anything()),
    fc.anything({ maxDepth: 2 }).filter((input) => input !== undefined),
  )
  return fc.oneof({ weight: 4, arbitrary: nearlyRight }, { weight: 1, arbitrary: anything })
}
