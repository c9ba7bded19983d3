import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataDirectory } from './data-directory'

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
