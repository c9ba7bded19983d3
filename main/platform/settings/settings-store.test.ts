import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Settings } from '../../../contract/settings'
import { settingsFile, withSetting } from './settings'
import { createSettingsStore, type SettingsStore } from './settings-store'

const defaults: Settings = {
  language: 'system',
  theme: 'system',
  remoteStrategy: 1,
  preferTcp: false,
  reconnect: true,
  killSwitch: false,
  autoConnect: false,
  startAtLogin: false,
  closeToTray: true,
  notifications: true,
  connectionDetails: false,
  openvpnPath: '',
}

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
    onDamaged: (movedTo) => damaged.push(movedTo),
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
  ['connectionDetails', 'true', true],
  ['openvpnPath', '/usr/local/sbin/openvpn', '/usr/local/sbin/openvpn'],
  ['openvpnPath', '', ''],
])('keeps %s set to "%s" for the next start', async (name, text, value) => {
  await store.set(name, text)
  expect(await open().get(name)).toBe(value)
  expect(await open().all()).toEqual({ ...defaults, [name]: value })
})

describe('a value that a setting does not take', () => {
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
  ])('is refused, and the old one stays: %s "%s"', async (name, text) => {
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
  ])('is also a program on a network share, on Windows: %s', (path) => {
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

  it('is answered with those it takes', async () => {
    await expect(store.set('theme', 'blue')).rejects.toMatchObject({
      message: "This value isn't valid for the setting theme. Use system, or light, or dark.",
      details: { allowed: ['system', 'light', 'dark'] },
    })
  })
})

it.each(['Theme', 'constructor', '__proto__', ''])(
  'knows no setting "%s", and says which there are',
  async (name) => {
    const refusal = {
      code: 'settings/unknown',
      details: {
        names: [
          'language',
          'theme',
          'remoteStrategy',
          'preferTcp',
          'reconnect',
          'killSwitch',
          'autoConnect',
          'startAtLogin',
          'closeToTray',
          'notifications',
          'connectionDetails',
          'openvpnPath',
        ],
      },
    }
    await expect(store.get(name)).rejects.toMatchObject(refusal)
    await expect(store.set(name, 'x')).rejects.toMatchObject(refusal)
  },
)

it('tells its listeners after each change until they stop', async () => {
  const heard: Settings[] = []
  const stop = store.onChange((settings) => heard.push(settings))
  await store.set('theme', 'light')
  await expect(store.set('theme', 'blue')).rejects.toThrow()
  stop()
  await store.set('theme', 'dark')
  expect(heard).toEqual([{ ...defaults, theme: 'light' }])
})

it('loses neither of two settings changed at once, by two programs in turn', async () => {
  await Promise.all([store.set('theme', 'dark'), store.set('preferTcp', 'true')])
  await open().set('remoteStrategy', '2')
  expect(await store.all()).toEqual({ ...defaults, theme: 'dark', preferTcp: true, remoteStrategy: 2 })
})

it('keeps the settings of another Causeway that it does not know, and does not show them', async () => {
  const path = join(dataDirectory, 'settings.json')
  await writeFile(path, JSON.stringify({ version: 1, data: { theme: 'dark', fromAnother: true } }))
  await store.set('language', 'en')
  expect(await store.all()).toEqual({ ...defaults, theme: 'dark', language: 'en' })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ data: { fromAnother: true } })
})

it('sets a settings.json with a wrong value aside instead of guessing', async () => {
  await writeFile(join(dataDirectory, 'settings.json'), '{"version": 1, "data": {"preferTcp": "no"}}')
  expect(await store.all()).toEqual(defaults)
  expect(damaged).toHaveLength(1)
  expect(await readdir(dataDirectory)).toEqual(['settings.json.corrupt-2026-11-20T18-29-34.000Z'])
})
