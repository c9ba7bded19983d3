import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { instanceArguments } from '../../../contract/choices'
import { settingName, settingsSchema } from '../../../contract/settings'
import { allowedTexts } from '../language'
import { createProgram } from '../program'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-cli-settings-'))
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  process.exitCode = undefined
  await rm(folder, { recursive: true, force: true })
})

/** Runs `causeway settings` and returns its output, or else its error. */
async function settings(...args: readonly string[]): Promise<string> {
  const outputs = [process.stdout, process.stderr].map((stream) => {
    const written: string[] = []
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    return written
  })
  const options = ['--data-dir', join(folder, 'data'), '--secret-store', 'file']
  try {
    await createProgram('0').parseAsync([...options, 'settings', ...args], { from: 'user' })
  } finally {
    vi.restoreAllMocks()
  }
  const [result, error] = outputs.map((written) => written.join(''))
  return (result === '' ? error : result) ?? ''
}

it('lists every setting with its value and allowed values', async () => {
  expect(JSON.parse(await settings('list', '--json'))).toEqual(settingsSchema.parse({}))
  const lines = (await settings('list')).split('\n')
  for (const name of settingName.options) {
    const line = lines.find((each) => each.startsWith(`${name} `)) ?? ''
    for (const value of allowedTexts(name)) expect(line).toContain(value)
    expect(allowedTexts(name)).not.toEqual([])
  }
})

/** Systems on which only the window can change the setting, because only Electron can access the login items. */
const changeable = settingName.options.filter(
  (name) => name !== 'startAtLogin' || !['darwin', 'win32'].includes(process.platform),
)

it.each(changeable)('sets %s, and reports the allowed values for an invalid one', async (name) => {
  const value = settingsSchema.parse({})[name]
  expect(JSON.parse(await settings('set', name, String(value), '--json'))).toEqual({ name, value })
  expect(JSON.parse(await settings('get', name, '--json'))).toEqual({ name, value })
  expect(JSON.parse(await settings('set', name, '?', '--json'))).toMatchObject({
    error: { code: 'settings/invalid-value', details: { name, allowed: allowedTexts(name) } },
  })
})

it('has an option for every setting of an instance, with the name that errors use', () => {
  const instance = createProgram('0').commands.find((command) => command.name() === 'instance')
  const set = instance?.commands.find((command) => command.name() === 'set')
  const options = set?.options.map((option) => [option.attributeName(), option.long?.slice(2)]) ?? []
  expect(Object.fromEntries(options)).toEqual(instanceArguments)
})
