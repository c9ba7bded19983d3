import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('if all users may write to it, also through a link', () => {
    const around = folder()
    chmodSync(around, 0o755)
    const [shared, own] = [join(around, 'shared'), join(around, 'own')]
    for (const each of [shared, own]) {
      mkdirSync(each)
      symlinkSync(each, `${each}-link`)
    }
    chmodSync(shared, 0o1777)
    expect([shared, `${shared}-link`].map((each) => isOfOthers(each, 0))).toEqual([true, true])
    expect([own, `${own}-link`].map((each) => isOfOthers(each))).toEqual([false, false])
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

  it('unless nobody else can enter the folder around it', () => {
    const inside = join(folder(), 'inside', 'mounted')
    mkdirSync(inside, { recursive: true })
    chmodSync(inside, 0o1777)
    expect(isOfOthers(inside)).toBe(false)
  })
})
