import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataDirectory, isOfOthers } from './data-directory'
import { makeOwnFolder, requireOwnFolder } from './own-folder'

it.each([
  ['linux', { XDG_CONFIG_HOME: '/srv/config' }, '/home/ada', '/srv/config/causeway'],
  ['linux', {}, '/home/ada', '/home/ada/.config/causeway'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada', '/home/ada/.config/causeway'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada', '/home/ada/.config/causeway'],
  ['freebsd', {}, '/home/ada', '/home/ada/.config/causeway'],
  [
    'darwin',
    { XDG_CONFIG_HOME: '/srv/config' },
    '/Users/ada',
    '/Users/ada/Library/Application Support/causeway',
  ],
  ['win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\ada', 'D:\\Roaming\\causeway'],
  ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming\\causeway'],
] as const)('is the usual directory of %s with %o', (platform, env, home, expected) => {
  expect(dataDirectory({ platform, env, home })).toBe(expected)
})

it('is the directory that the user chose, relative to the working directory', () => {
  const options = { platform: 'linux', env: { XDG_CONFIG_HOME: '/srv' }, home: '/home/ada' } as const
  expect(dataDirectory({ ...options, override: 'here' })).toBe(join(process.cwd(), 'here'))
  expect(dataDirectory({ ...options, override: '' })).toBe('/srv/causeway')
})

describe.skipIf(process.platform === 'win32')('belongs to others', () => {
  const uid = process.getuid?.() ?? 0
  function folder(): string {
    const made = mkdtempSync(join(tmpdir(), 'causeway-data-'))
    onTestFinished(() => {
      rmSync(made, { recursive: true })
    })
    return made
  }

  it('if another user owns it, but for root', () => {
    const [own, missing] = [folder(), join(folder(), 'missing')]
    expect(isOfOthers(own)).toBe(false)
    expect(isOfOthers(own, uid + 1)).toBe(true)
    expect(isOfOthers(own, 0)).toBe(false)
    expect(isOfOthers(missing, uid + 1)).toBe(false)
  })

  it.each([0o1777, 0o770, 0o2770, 0o702])(
    'if others may write to it, also through a link, and whatever is around it: %o',
    (mode) => {
      const around = folder()
      const [shared, own] = [join(around, 'shared'), join(around, 'own')]
      for (const each of [shared, own]) {
        mkdirSync(each)
        symlinkSync(each, `${each}-link`)
      }
      chmodSync(shared, mode)
      expect([shared, `${shared}-link`].map((each) => isOfOthers(each, 0))).toEqual([true, true])
      expect([own, `${own}-link`].map((each) => isOfOthers(each))).toEqual([false, false])
    },
  )

  it('if a file in it that others can reach may be written by them', () => {
    const made = folder()
    const file = join(made, 'settings.json')
    writeFileSync(file, '')
    chmodSync(file, 0o664)
    expect(isOfOthers(made)).toBe(false)
    chmodSync(made, 0o755)
    expect(isOfOthers(made)).toBe(true)
    chmodSync(file, 0o644)
    expect(isOfOthers(made)).toBe(false)
  })

  it.runIf(uid === 0).each(['settings.json', 'seen', 'seen/answer.json'])(
    'if another user owns something in it: %s',
    (name) => {
      const made = folder()
      mkdirSync(join(made, 'seen'))
      for (const file of ['settings.json', 'seen/answer.json']) writeFileSync(join(made, file), '')
      expect(isOfOthers(made)).toBe(false)
      chownSync(join(made, name), 65534, 65534)
      expect(isOfOthers(made)).toBe(true)
      // Root may use the folder of another user, in which root's own files may be.
      chownSync(made, 65534, 65534)
      expect(isOfOthers(made)).toBe(false)
      expect(isOfOthers(made, 65534)).toBe(false)
      chownSync(join(made, name), 65533, 65533)
      expect(isOfOthers(made)).toBe(true)
    },
  )

  it.runIf(uid === 0)('if a link in it leads to a file of another user', () => {
    const [made, other] = [folder(), join(folder(), 'settings.json')]
    writeFileSync(other, '')
    symlinkSync(other, join(made, 'settings.json'))
    symlinkSync('/nowhere', join(made, 'nowhere'))
    expect(isOfOthers(made)).toBe(false)
    chownSync(other, 65534, 65534)
    expect(isOfOthers(made)).toBe(true)
  })

  it('if another user owns a link that leads nowhere yet', () => {
    const link = join(folder(), 'link')
    symlinkSync(join(folder(), 'missing'), link)
    expect(isOfOthers(link)).toBe(false)
    expect(isOfOthers(link, uid + 1)).toBe(true)
  })

  it.each([
    [
      'ENOTDIR',
      'a path through a file',
      (around: string) => {
        writeFileSync(join(around, 'file'), '')
        return join(around, 'file', 'data')
      },
    ],
    [
      'ELOOP',
      'a link to itself',
      (around: string) => {
        const link = join(around, 'link')
        symlinkSync(link, link)
        return link
      },
    ],
  ])('or its owner is unknown, and is refused: %s, %s', (reason, _what, make) => {
    const path = make(folder())
    const refusal = expect.objectContaining({
      code: 'data/unwritable',
      variant: 'unsafe-folder',
      details: { path, reason },
    }) as Error
    expect(() => isOfOthers(path)).toThrow(reason)
    expect(() => {
      requireOwnFolder(path)
    }).toThrow(refusal)
    expect(() => {
      makeOwnFolder(path)
    }).toThrow(expect.objectContaining({ code: 'data/unwritable', variant: 'unsafe-folder' }) as Error)
  })

  it.runIf(uid === 0 && process.platform === 'linux')(
    'unless a disk is mounted there, and nobody else can enter the folder around it',
    async () => {
      const around = folder()
      const disk = join(around, 'disk')
      mkdirSync(disk)
      await execa('mount', ['-t', 'tmpfs', '-o', 'mode=1777', 'none', disk])
      try {
        expect(isOfOthers(disk)).toBe(false)
        chmodSync(around, 0o710)
        expect(isOfOthers(disk)).toBe(true)
        chmodSync(around, 0o700)
        writeFileSync(join(disk, 'settings.json'), '')
        chownSync(join(disk, 'settings.json'), 65534, 65534)
        expect(isOfOthers(disk)).toBe(true)
      } finally {
        await execa('umount', [disk])
      }
    },
  )
})
