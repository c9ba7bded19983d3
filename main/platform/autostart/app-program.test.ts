import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { programOfSourceTree, runningProgram } from './app-program'

it.skipIf(process.platform === 'win32')(
  'finds the AppImage instead of the folder where it is mounted',
  () => {
    const execPath = '/tmp/.mount_abc/causeway'
    const image = { APPIMAGE: '/home/a/Causeway.AppImage', APPDIR: '/tmp/.mount_abc' }
    expect(runningProgram({ execPath, env: image }, undefined)).toEqual(['/home/a/Causeway.AppImage'])
    // Started from another AppImage.
    expect(runningProgram({ execPath: '/opt/causeway', env: image }, undefined)).toEqual(['/opt/causeway'])
    expect(runningProgram({ execPath: '/opt/electron', env: {} }, '/src')).toEqual(['/opt/electron', '/src'])
  },
)

it('finds the program of a source tree once it is built and Electron is installed', async () => {
  const tree = await mkdtemp(join(tmpdir(), 'causeway-tree-'))
  onTestFinished(() => rm(tree, { recursive: true, force: true }))
  const from = join(tree, 'main', 'start-at-login')
  const runtime = join(tree, 'runtime')
  const find = () => programOfSourceTree({ env: { ELECTRON_OVERRIDE_DIST_PATH: runtime } }, from)
  for (const folder of [from, runtime, join(tree, 'out', 'main')]) await mkdir(folder, { recursive: true })
  await writeFile(join(tree, 'package.json'), '{"name":"causeway"}')
  expect(await find()).toBeUndefined()
  await writeFile(join(tree, 'out', 'main', 'index.js'), '')
  expect(await find()).toBeUndefined()
  await writeFile(join(runtime, 'electron'), '', { mode: 0o755 })
  expect(await find()).toEqual([join(runtime, 'electron'), tree])
  await writeFile(join(tree, 'package.json'), '{"name":"another"}')
  expect(await find()).toBeUndefined()
})
