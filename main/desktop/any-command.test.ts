import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { commands, type CommandName } from '../../contract/commands'
import { errorCodes } from '../../contract/error-codes'
import { createMockServer } from '../../mock-server/server'
import { cases, isNightly } from '../../scripts/nightly-tests'
import { createOpenBrowser } from '../portal/oauth/open-browser'
import { createDispatch } from './dispatch'
import { startModel } from './model.testing'

vi.setConfig({ testTimeout: isNightly ? 600_000 : 60_000 })

const names = Object.keys(commands) as CommandName[]

/** Without those that start a tunnel or ask for an administrator's password; their tests are elsewhere. */
const tried = names.filter((name) => name !== 'connect' && name !== 'installHelper')

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

/** A command whose input is nearly right, or anything at all. `known`: texts that mean something to the app. */
function anyCall(known: readonly string[]): fc.Arbitrary<readonly [unknown, unknown]> {
  const nearlyRight = fc
    .constantFrom(...tried.filter((name) => !(commands[name].input instanceof z.ZodVoid)))
    .chain((name) => {
      const schema = z.toJSONSchema(commands[name].input, { io: 'input', unrepresentable: 'any' })
      return fc.tuple(fc.constant(name), nearly(schema as Schema, known))
    })
  const anything = fc.tuple(
    fc.oneof(fc.constantFrom(...names), fc.anything()),
    fc.anything({ maxDepth: 2 }).filter((input) => input !== undefined),
  )
  return fc.oneof({ weight: 4, arbitrary: nearlyRight }, { weight: 1, arbitrary: anything })
}

it('answers whatever the page sends, and nothing of it is a defect', async () => {
  const mock = await createMockServer({ autoApprove: true })
  onTestFinished(() => mock.close())
  const folder = await mkdtemp(join(tmpdir(), 'causeway-any-command-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The entry for the start at login is written here.
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { model, run } = await startModel({
    dataDir: join(folder, 'data'),
    kind: 'window',
    openBrowser: createOpenBrowser({ openExternal: approve }),
  })
  const { instanceId } = await run.addInstance({ address: mock.instance })

  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCall([instanceId, 'internet', 'office']), { minLength: 1, maxLength: 12 }),
      async (calls) => {
        // One of the calls before may have removed it.
        await run.addInstance({ address: mock.instance })
        const defects: unknown[] = []
        const dispatch = createDispatch(run, (error) => defects.push(error))
        const answers = await Promise.all(calls.map(([name, input]) => dispatch(name, input)))
        expect(defects).toEqual([])
        for (const answer of answers) {
          if (!answer.ok) expect(errorCodes).toContain(answer.error.code)
        }
        // The state can still be sent to the page.
        structuredClone(model.state())
      },
    ),
    cases(20),
  )
})

/** A browser whose user approves the login. */
async function approve(url: string): Promise<void> {
  if (!url.startsWith('http://127.0.0.1')) return
  const { headers } = await fetch(url, { redirect: 'manual' })
  await (await fetch(headers.get('location') ?? url)).text()
}
