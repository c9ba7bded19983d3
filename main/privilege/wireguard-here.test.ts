import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { runnableProtocols, wireGuardHere } from './wireguard-here'

/** A computer with these files; `programs` may be executed. */
async function computer(files: Readonly<Record<string, string>>, programs: readonly string[]) {
  const root = await mkdtemp(join(tmpdir(), 'causeway-wireguard-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true })
    await writeFile(join(root, name), text, { mode: 0o644 })
  }
  for (const name of programs) {
    await writeFile(join(root, name), '')
    await chmod(join(root, name), 0o755)
  }
  return { platform: 'linux', helper: join(root, 'causeway-helper'), root, kernel: '6.12.0' } as const
}

const both = ['causeway-helper', 'causeway-wireguard']
const modules = {
  'lib/modules/6.12.0/modules.dep': 'kernel/drivers/net/wireguard/wireguard.ko.xz: kernel/x.ko\n',
}

describe.runIf(process.geteuid?.() === 0)('WireGuard on this computer', () => {
  it.each([
    ['a loaded module', { 'sys/module/wireguard/version': '1.0.0' }, both, 'kernel'],
    ['a module to load', modules, both, 'kernel'],
    [
      'a built-in module',
      { 'lib/modules/6.12.0/modules.builtin': 'kernel/net/wireguard.ko\n' },
      both,
      'kernel',
    ],
    [
      'the module of another kernel',
      { 'lib/modules/6.1.0/modules.dep': 'x/wireguard.ko:\n' },
      both,
      'userspace',
    ],
    ['its own program', {}, both, 'userspace'],
    ['the helper alone', {}, ['causeway-helper'], 'none'],
    ['a kernel without the helper', modules, [], 'none'],
  ] as const)('is told by %s', async (_what, files, programs, expected) => {
    const places = await computer(files, programs)
    expect(wireGuardHere(places)).toBe(expected)
    expect(await runnableProtocols(places)).toEqual(
      expected === 'none' ? ['openvpn'] : ['openvpn', 'wireguard'],
    )
    expect(wireGuardHere({ ...places, platform: 'win32' })).toBe('none')
    const onMacos = programs.length === both.length ? 'userspace' : 'none'
    expect(wireGuardHere({ ...places, platform: 'darwin' })).toBe(onMacos)
  })

  it('does not count programs that others may change', async () => {
    const places = await computer({}, both)
    await chmod(join(places.root, 'causeway-wireguard'), 0o777)
    expect(wireGuardHere(places)).toBe('none')
  })
})
