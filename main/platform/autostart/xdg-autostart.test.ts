import { execa } from 'execa'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { SystemSwitch } from '../settings/system-switch'
import { createStartAtLogin } from './start-at-login'

/** Windows has no such entries, and not such names of folders. */
const onLinux = it.skipIf(process.platform === 'win32')

let home: string
let program: string
let path: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'causeway-home-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  program = join(home, 'my "apps" $5', 'causeway')
  path = join(home, '.config', 'autostart', 'causeway.desktop')
  await mkdir(join(program, '..'))
  await writeFile(
    program,
    '#!/bin/sh\nprintf "%s\\n" "$@" > "${0%/*}/started.tmp"\nmv "${0%/*}/started.tmp" "${0%/*}/started"\n',
  )
  await chmod(program, 0o755)
})

function open(dataDir = join(home, '.config', 'causeway'), found = true): SystemSwitch {
  return createStartAtLogin({
    platform: 'linux',
    env: {},
    home,
    dataDir,
    secretStore: 'os',
    program: () => Promise.resolve(found ? [program] : undefined),
  })
}

onLinux('is on with its entry and off without it, also after the entry was removed by hand', async () => {
  expect(await open().isOn()).toBe(false)
  await open().set(true)
  expect(await open().isOn()).toBe(true)
  expect((await stat(path)).mode & 0o777).toBe(0o644)
  await rm(path)
  expect(await open().isOn()).toBe(false)
  await open().set(true)
  await open().set(false)
  await expect(stat(path)).rejects.toThrow('ENOENT')
  await open().set(false)
})

onLinux('keeps an entry that the user disabled until it is turned on here', async () => {
  await open().set(true)
  const hidden = (await readFile(path, 'utf8')) + 'Hidden=true\n'
  await writeFile(path, hidden)
  expect(await open().isOn()).toBe(false)
  await open().set(false)
  expect(await readFile(path, 'utf8')).toBe(hidden)
  await open().set(true)
  expect(await open().isOn()).toBe(true)
  expect(await readFile(path, 'utf8')).not.toContain('Hidden')
})

onLinux("keeps the user's changes to an entry that is on", async () => {
  await open().set(true)
  const delayed = (await readFile(path, 'utf8')) + 'X-GNOME-Autostart-Delay=10\n'
  await writeFile(path, delayed)
  await open().set(true)
  expect(await readFile(path, 'utf8')).toBe(delayed)
})

onLinux('is off if the program is missing, and uses its current path when turned on again', async () => {
  await open().set(true)
  await rm(program)
  expect(await open().isOn()).toBe(false)
  const moved = join(home, 'moved')
  await writeFile(moved, '', { mode: 0o755 })
  program = moved
  await open().set(true)
  expect(await readFile(path, 'utf8')).toContain(`Exec=${moved} --hidden\n`)
})

onLinux('ignores the entry of another data directory', async () => {
  const other = open(join(home, 'other 100% $files'))
  await other.set(true)
  expect([await other.isOn(), await open().isOn()]).toEqual([true, false])
  expect(await readFile(path, 'utf8')).toContain(String.raw`--data-dir "${home}/other 100%% \\$files"`)
  await open().set(false)
  expect(await other.isOn()).toBe(true)
})

onLinux('reports an unknown program location and an unreadable folder', async () => {
  await expect(open(undefined, false).set(true)).rejects.toMatchObject({ code: 'start-at-login/window-only' })
  await writeFile(join(home, '.config'), 'a file')
  expect(await open().isOn()).toBe(false)
  await expect(open().set(true)).rejects.toMatchObject({ code: 'data/unreadable' })
})

onLinux('starts the program with its arguments when a desktop runs the entry', async ({ skip }) => {
  const there = await execa('gio', ['version'], { reject: false })
  if (there.failed) skip('There is no gio here that would start an entry as a desktop does.')
  await open(join(home, 'other 100% $files')).set(true)
  await execa('gio', ['launch', path])
  const started = join(program, '..', 'started')
  await expect
    .poll(() => readFile(started, 'utf8').catch(() => ''))
    .toBe(['--hidden', '--data-dir', join(home, 'other 100% $files'), ''].join('\n'))
})
