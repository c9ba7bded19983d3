import { expect, it } from 'vitest'
import { createLoginItem, type LoginItems } from './login-item'
import { createStartAtLogin } from './start-at-login'

/** The login items of a system in memory. */
class TestItems implements LoginItems {
  readonly listed = new Map<string, readonly string[]>()
  /** True if the user disabled the item in the system's settings. */
  forbidden = false
  /** True if macOS ignores changes until the user approves them. */
  unapproved = false

  getLoginItemSettings({ path, args }: { path: string; args: string[] }) {
    const openAtLogin = JSON.stringify(this.listed.get(path)) === JSON.stringify(args)
    return { openAtLogin, executableWillLaunchAtLogin: openAtLogin && !this.forbidden }
  }

  setLoginItemSettings({ openAtLogin, path, args }: { openAtLogin: boolean; path: string; args: string[] }) {
    if (this.unapproved) return
    if (openAtLogin) this.listed.set(path, args)
    else this.listed.delete(path)
    this.forbidden = false
  }
}

const app = {
  program: ['C:\\Program Files\\Causeway\\causeway.exe'],
  dataDir: 'D:\\my data\\',
  defaultDataDir: 'C:\\data',
  secretStore: 'os',
} as const

it('adds the app with quoted arguments, and removes it again', async () => {
  const items = new TestItems()
  const startAtLogin = createLoginItem(items, 'win32', app)
  expect(await startAtLogin.isOn()).toBe(false)
  await startAtLogin.set(true)
  expect([...items.listed]).toEqual([
    ['C:\\Program Files\\Causeway\\causeway.exe', ['--hidden', '--data-dir', '"D:\\my data\\\\"']],
  ])
  expect(await startAtLogin.isOn()).toBe(true)
  await startAtLogin.set(false)
  expect(items.listed.size).toBe(0)
})

it('is off if the user disabled it in the Task Manager', async () => {
  const items = new TestItems()
  const startAtLogin = createLoginItem(items, 'win32', app)
  await startAtLogin.set(true)
  items.forbidden = true
  expect(await startAtLogin.isOn()).toBe(false)
})

it('reports a change that the system ignores', async () => {
  const items = new TestItems()
  items.unapproved = true
  await expect(createLoginItem(items, 'darwin', app).set(true)).rejects.toMatchObject({
    code: 'start-at-login/refused',
  })
})

it('refers to the window where the terminal command cannot ask the system', async () => {
  const { dataDir, secretStore } = app
  const startAtLogin = createStartAtLogin({
    platform: 'win32',
    env: {},
    home: 'C:\\Users\\a',
    dataDir,
    secretStore,
    program: () => Promise.resolve(undefined),
  })
  expect(await startAtLogin.isOn()).toBeUndefined()
  await expect(startAtLogin.set(true)).rejects.toMatchObject({ code: 'start-at-login/window-only' })
})
