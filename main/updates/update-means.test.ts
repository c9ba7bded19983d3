import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { type RunningCopy, updateMeans } from './update-means'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-means-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const meansOf = (copy: Partial<RunningCopy>) =>
  updateMeans({ platform: 'linux', arch: 'x64', env: {}, program: '', isPackaged: true, ...copy })

it('replaces an AppImage that the user may write', async () => {
  const image = join(folder, 'Causeway.AppImage')
  const env = { APPIMAGE: image, APPDIR: '/tmp/.mount_abc' }
  const program = '/tmp/.mount_abc/causeway-app'
  expect(await meansOf({ env, program })).toEqual({ means: 'manual' })
  await writeFile(image, '')
  expect(await meansOf({ env, program })).toEqual({ means: 'self', target: 'AppImage-x64' })
  expect(await meansOf({ env: { ...env, APPIMAGE: 'Causeway.AppImage' }, program })).toEqual({
    means: 'manual',
  })
})

it('never replaces another AppImage, such as that of a terminal from which Causeway was started', async () => {
  const image = join(folder, 'Terminal.AppImage')
  await writeFile(image, '')
  for (const mounted of [{ APPDIR: '/tmp/.mount_abc' }, { APPDIR: '' }, {}]) {
    const env = { APPIMAGE: image, ...mounted }
    expect(await meansOf({ env, program: '/opt/Causeway/causeway-app' })).toEqual({ means: 'packages' })
    expect(await meansOf({ env, program: '/home/ada/causeway/causeway-app' })).toEqual({ means: 'manual' })
  }
})

it('leaves packages to the package manager', async () => {
  expect(await meansOf({ program: '/opt/Causeway/causeway-app' })).toEqual({ means: 'packages' })
  expect(await meansOf({ env: { FLATPAK_ID: 'org.causeway.app' } })).toEqual({ means: 'packages' })
  expect(await meansOf({ program: '/home/ada/causeway/causeway-app' })).toEqual({ means: 'manual' })
})

it("runs the installer on Windows only where it was used before, so not over an administrator's MSI", async () => {
  const copy = { platform: 'win32', arch: 'arm64', program: join(folder, 'Causeway.exe') } as const
  expect(await meansOf(copy)).toEqual({ means: 'manual' })
  await writeFile(join(folder, 'Uninstall Causeway.exe'), '')
  expect(await meansOf(copy)).toEqual({ means: 'self', target: 'nsis-arm64' })
  expect(await meansOf({ ...copy, isPackaged: false })).toEqual({ means: 'manual' })
})

it('replaces an app on macOS that the user may write', async () => {
  const app = join(folder, 'Causeway.app')
  const copy = { platform: 'darwin', program: join(app, 'Contents/MacOS/Causeway') } as const
  expect(await meansOf(copy)).toEqual({ means: 'manual' })
  await mkdir(app)
  expect(await meansOf(copy)).toEqual({ means: 'self', target: 'mac' })
})
