import { resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { globalOptions } from '../../cli/global-options'
import { readAppArguments } from './app-arguments'
import { appOptions, isPlainStart, readAppOptions } from './app-options'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('readAppOptions', () => {
  it("reads the app's options between Chromium's switches", async () => {
    const args = ['--no-sandbox', '--remote-debugging-port=0', '--data-dir', '/tmp/causeway', '--disable-gpu']
    expect(await readAppOptions([...args, '--openvpn', '/opt/openvpn', '--verbose'], '1.0.0')).toMatchObject({
      dataDir: resolve('/tmp/causeway'),
      openVpnPath: '/opt/openvpn',
      verbose: true,
      secretStore: 'os',
      login: 'allowed',
    })
  })

  it('reads options from the environment, but prefers the command line', async () => {
    vi.stubEnv('CAUSEWAY_DATA_DIR', '/tmp/from-environment')
    vi.stubEnv('CAUSEWAY_SECRET_STORE', 'file')
    vi.stubEnv('CAUSEWAY_BROWSER', 'chromium --incognito')
    vi.stubEnv('CAUSEWAY_LANG', 'nl')
    expect(await readAppOptions(['--data-dir=/tmp/from-arguments'], '1.0.0')).toMatchObject({
      dataDir: resolve('/tmp/from-arguments'),
      secretStore: 'file',
      browserCommands: ['chromium --incognito'],
      language: 'nl',
    })
  })

  it('starts minimised only with --hidden', async () => {
    expect(await readAppOptions(['.', '--hidden', '--no-sandbox'], '1.0.0')).toMatchObject({ hidden: true })
    expect(await readAppOptions([], '1.0.0')).toMatchObject({ hidden: false })
  })

  it("connects to the last profile only with --connect, as the desktop's action does", async () => {
    expect(await readAppOptions(['app', '--connect'], '1.0.0')).toMatchObject({ connect: true })
    expect(await readAppOptions([], '1.0.0')).toMatchObject({ connect: false })
  })

  it("uses the environment's browser if no option names one", async () => {
    vi.stubEnv('BROWSER', 'firefox')
    expect(await readAppOptions([], '1.0.0')).toMatchObject({ browserCommands: ['firefox'] })
    vi.stubEnv('BROWSER', '')
    expect(await readAppOptions([], '1.0.0')).toMatchObject({ browserCommands: [] })
  })

  it('refuses an unknown secret store', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await readAppOptions(['--secret-store', 'cloud'], '1.0.0')).toEqual({ exitStatus: 2 })
    expect(written).toHaveBeenCalledWith(expect.stringContaining('cloud'))
    written.mockRestore()
  })

  it('returns the same defaults without options as commander', async () => {
    for (const name of Object.keys(process.env).filter((each) => each.startsWith('CAUSEWAY_')))
      vi.stubEnv(name, undefined)
    const args = ['--no-sandbox', '--remote-debugging-port=0', '.']
    expect(isPlainStart(args, process.env)).toBe(true)
    const given = readAppArguments(args, '1.0.0')
    if ('exitStatus' in given) throw new Error('These are arguments of the app.')
    expect(await readAppOptions(args, '1.0.0')).toEqual(appOptions(given))
  })
})

describe('isPlainStart', () => {
  const flags = [...Object.keys(globalOptions), '--hidden', '--help', '--version'].map(
    (each) => each.split(' ')[0] ?? '',
  )

  it.each([...flags, ...flags.map((flag) => `${flag}=x`), '-V', '-h'])('returns false for %s', (arg) => {
    expect(isPlainStart(['.', arg], {})).toBe(false)
  })

  it('returns false for options in the environment', () => {
    expect(isPlainStart([], { PATH: '/bin', HOME: '/root' })).toBe(true)
    expect(isPlainStart([], { CAUSEWAY_LANG: 'nl' })).toBe(false)
  })
})
