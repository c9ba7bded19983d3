import { expect, it } from 'vitest'
import { createLoginItem, type LoginItems } from './login-item'
import { createStartAtLogin } from './start-at-login'

/** A system's list of login items, as Electron tells of it. */
class TestItems implements LoginItems {
  readonly listed = new Map<string, readonly string[]>()
  /** What the user has switched off in the system's own settings. */
  forbidden = false
  /** What macOS answers until the user approves. */
  deaf = false

  getLoginItemSettings({ path, args }: { path: string; args: string[] }) {
    const openAtLogin = JSON.stringify(this.listed.get(path)) === JSON.stringify(args)
    return { openAtLogin, executableWillLaunchAtLogin: openAtLogin && !this.forbidden }
  }

  setLoginItemSettings({ openAtLogin, path, args }: { openAtLogin: boolean; path: string; args: string[] }) {
    if (this.deaf) return
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

it('lists the app with its arguments, quoted where Windows would split them, and takes it out again', async () => {
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

it('is off where the user has switched it off in the Task Manager', async () => {
  const items = new TestItems()
  const startAtLogin = createLoginItem(items, 'win32', app)
  await startAtLogin.set(true)
  items.forbidden = true
  expect(await startAtLogin.isOn()).toBe(false)
})

it('says so when the system does not take it', async () => {
  const items = new TestItems()
  items.deaf = true
  await expect(createLoginItem(items, 'darwin', app).set(true)).rejects.toMatchObject({
    code: 'start-at-login/refused',
  })
})

it('is left to the window where the terminal command cannot ask the system', async () => {
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
