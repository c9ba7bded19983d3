import { chown, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { settingName, type Settings, settingsSchema } from '../../../contract/settings'
import { settingsFile, withSetting } from './settings'
import { createSettingsStore, type SettingsStore } from './settings-store'
import { testReporter } from '../../reporter.testing'

const defaults: Settings = settingsSchema.parse({})

let dataDirectory: string
let store: SettingsStore
let damaged: string[]

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-settings-'))
  damaged = []
  store = open()
})

afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

function open(): SettingsStore {
  return createSettingsStore({
    dataDirectory,
    now: () => new Date('2026-11-20T18:29:34Z'),
    reporter: testReporter({ notice: ({ details }) => damaged.push(String(details?.movedTo)) }),
  })
}

it('starts with the defaults', async () => {
  expect(await store.all()).toEqual(defaults)
})

it.each([
  ['language', 'system', 'system'],
  ['language', 'nl', 'nl'],
  ['language', 'PT-br', 'pt-BR'],
  ['theme', 'dark', 'dark'],
  ['remoteStrategy', '0', 0],
  ['remoteStrategy', '2', 2],
  ['preferTcp', 'true', true],
  ['preferTcp', 'false', false],
  ['reconnect', 'false', false],
  ['killSwitch', 'true', true],
  ['autoConnect', 'true', true],
  ['startAtLogin', 'true', true],
  ['closeToTray', 'false', false],
  ['notifications', 'false', false],
  ['updates', 'false', false],
  ['connectionDetails', 'true', true],
  ['openvpnPath', process.execPath, process.execPath],
  ['openvpnPath', '', ''],
])('keeps %s set to "%s" for the next start', async (name, text, value) => {
  await store.set(name, text)
  expect(await open().get(name)).toBe(value)
  expect(await open().all()).toEqual({ ...defaults, [name]: value })
})

describe('an invalid value', () => {
  it.each([
    ['language', 'en_US'],
    ['language', ''],
    ['language', '__proto__'],
    ['theme', 'Dark'],
    ['remoteStrategy', '3'],
    ['remoteStrategy', '01'],
    ['remoteStrategy', ''],
    ['preferTcp', 'yes'],
    ['openvpnPath', 'openvpn'],
    ['openvpnPath', './openvpn'],
    ['openvpnPath', '/usr/sbin/openvpn\n--up'],
  ])('is rejected, and the old value stays: %s "%s"', async (name, text) => {
    await expect(store.set(name, text)).rejects.toMatchObject({
      code: 'settings/invalid-value',
      details: { name },
    })
    expect(await store.all()).toEqual(defaults)
  })

  it.each([
    '\\\\server\\share\\openvpn.exe',
    '//server/share/openvpn.exe',
    '\\\\?\\UNC\\server\\share\\openvpn.exe',
    '\\\\.\\pipe\\openvpn',
  ])('includes a program on a network share on Windows: %s', (path) => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    onTestFinished(() => {
      platform.mockRestore()
    })
    const refusal = expect.objectContaining({ code: 'settings/invalid-value' }) as Error
    expect(() => withSetting(defaults, 'openvpnPath', path)).toThrow(refusal)
    expect(settingsFile.safeParse({ openvpnPath: path }).success).toBe(false)
    const here = withSetting(defaults, 'openvpnPath', 'C:\\OpenVPN\\openvpn.exe')
    expect(here.openvpnPath).toBe('C:\\OpenVPN\\openvpn.exe')
  })

  it('is rejected with the allowed values', async () => {
    await expect(store.set('theme', 'blue')).rejects.toMatchObject({
      message: "This value isn't valid for the setting theme. It can be one of these: system, light, dark.",
      details: { allowed: ['system', 'light', 'dark'] },
    })
  })
})

it.each(['Theme', 'constructor', '__proto__', ''])(
  'rejects the unknown setting "%s", and lists the settings',
  async (name) => {
    const refusal = {
      code: 'settings/unknown',
      details: {
        names: settingName.options,
      },
    }
    await expect(store.get(name)).rejects.toMatchObject(refusal)
    await expect(store.set(name, 'x')).rejects.toMatchObject(refusal)
  },
)

it('calls its listeners after each change until they stop', async () => {
  const received: Settings[] = []
  const stop = store.onChange((settings) => received.push(settings))
  await store.set('theme', 'light')
  await expect(store.set('theme', 'blue')).rejects.toThrow()
  stop()
  await store.set('theme', 'dark')
  expect(received).toEqual([{ ...defaults, theme: 'light' }])
})

it('loses no change of concurrent writers', async () => {
  await Promise.all([store.set('theme', 'dark'), store.set('preferTcp', 'true')])
  await open().set('remoteStrategy', '2')
  expect(await store.all()).toEqual({ ...defaults, theme: 'dark', preferTcp: true, remoteStrategy: 2 })
})

it('keeps but does not return unknown settings of another version', async () => {
  const path = join(dataDirectory, 'settings.json')
  await writeFile(path, JSON.stringify({ version: 1, data: { theme: 'dark', fromAnother: true } }))
  await store.set('language', 'en')
  expect(await store.all()).toEqual({ ...defaults, theme: 'dark', language: 'en' })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ data: { fromAnother: true } })
})

it('moves a settings.json with an invalid value away', async () => {
  await writeFile(join(dataDirectory, 'settings.json'), '{"version": 1, "data": {"preferTcp": "no"}}')
  expect(await store.all()).toEqual(defaults)
  expect(damaged).toHaveLength(1)
  expect(await readdir(dataDirectory)).toEqual(['settings.json.corrupt-2026-11-20T18-29-34.000Z'])
})

describe.runIf(process.geteuid?.() === 0)('settings of another user that root reads', () => {
  it.each([
    ['in a folder of that user', ''],
    ['in a file of that user', 'settings.json'],
  ])('name no program to run: %s', async (_what, owned) => {
    await store.set('openvpnPath', '/usr/local/sbin/openvpn')
    await store.set('theme', 'dark')
    expect((await store.all()).openvpnPath).toBe('/usr/local/sbin/openvpn')
    await chown(join(dataDirectory, owned), 65534, 65534)
    expect(await store.all()).toEqual({ ...defaults, theme: 'dark' })
    expect(await store.get('openvpnPath')).toBe('')
    // Root's own choice is another matter.
    const given = '/opt/openvpn'
    expect((await store.all({ openvpnPath: given })).openvpnPath).toBe(given)
    const policy = () => Promise.resolve({ instances: [], settings: { openvpnPath: given } })
    const managed = createSettingsStore({ dataDirectory, now: () => new Date(), policy })
    expect((await managed.all()).openvpnPath).toBe(given)
  })
})

describe('settings that the policy of the computer sets', () => {
  const policy = () =>
    Promise.resolve({ instances: [], settings: { killSwitch: true, theme: 'dark' as const } })
  const managed = () => createSettingsStore({ dataDirectory, now: () => new Date(), policy })

  it('take precedence over those of the user, who keeps the others', async () => {
    await store.set('killSwitch', 'false')
    await managed().set('preferTcp', 'true')
    expect(await managed().all()).toEqual({ ...defaults, killSwitch: true, theme: 'dark', preferTcp: true })
    expect(await managed().managed()).toEqual(['theme', 'killSwitch'])
    // Without the policy, the user's own value is back.
    expect(await store.all()).toEqual({ ...defaults, preferTcp: true })
  })

  it("can't be changed, not even to the same value", async () => {
    for (const value of ['true', 'false']) {
      await expect(managed().set('killSwitch', value)).rejects.toMatchObject({
        code: 'settings/managed',
        details: { name: 'killSwitch' },
      })
    }
  })

  it("aren't replaced by options either, which replace other settings", async () => {
    expect(await managed().all({ killSwitch: true, preferTcp: true, language: undefined })).toEqual({
      ...defaults,
      killSwitch: true,
      theme: 'dark',
      preferTcp: true,
    })
    await expect(managed().all({ killSwitch: false })).rejects.toMatchObject({
      code: 'settings/managed',
      details: { name: 'killSwitch' },
    })
  })

  it("can't be read while the policy is unusable", async () => {
    const broken = createSettingsStore({
      dataDirectory,
      now: () => new Date(),
      policy: () => Promise.reject(new Error('unusable')),
    })
    await expect(broken.all()).rejects.toThrow('unusable')
    await expect(broken.set('preferTcp', 'true')).rejects.toThrow('unusable')
  })
})

it('keeps its protections beside a value that it does not know, as of a newer version', async () => {
  const stored = { killSwitch: true, localNetwork: 'block', theme: 'sepia' }
  await writeFile(join(dataDirectory, 'settings.json'), JSON.stringify({ version: 1, data: stored }))
  const expected = { ...defaults, killSwitch: true, localNetwork: 'block' }
  expect(await store.all()).toEqual(expected)
  expect(damaged).toHaveLength(1)
  expect(await open().all(), 'after a restart').toEqual(expected)
})
