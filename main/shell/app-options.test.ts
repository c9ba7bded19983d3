import { afterEach, describe, expect, it, vi } from 'vitest'
import { readAppOptions } from './app-options'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('readAppOptions', () => {
  it('takes its options from among the switches of Chromium', () => {
    const args = ['--no-sandbox', '--remote-debugging-port=0', '--data-dir', '/tmp/causeway', '--disable-gpu']
    expect(readAppOptions([...args, '--openvpn', '/opt/openvpn', '--verbose'], '1.0.0')).toMatchObject({
      dataDir: '/tmp/causeway',
      openVpnPath: '/opt/openvpn',
      verbose: true,
      secretStore: 'os',
      login: 'allowed',
    })
  })

  it('takes every option from the environment as well, and the command line before it', () => {
    vi.stubEnv('CAUSEWAY_DATA_DIR', '/tmp/from-environment')
    vi.stubEnv('CAUSEWAY_SECRET_STORE', 'file')
    vi.stubEnv('CAUSEWAY_BROWSER', 'chromium --incognito')
    vi.stubEnv('CAUSEWAY_LANG', 'nl')
    expect(readAppOptions(['--data-dir=/tmp/from-arguments'], '1.0.0')).toMatchObject({
      dataDir: '/tmp/from-arguments',
      secretStore: 'file',
      browserCommand: 'chromium --incognito',
      language: 'nl',
    })
  })

  it('starts minimised only where it is asked to', () => {
    expect(readAppOptions(['.', '--hidden', '--no-sandbox'], '1.0.0').hidden).toBe(true)
    expect(readAppOptions([], '1.0.0').hidden).toBe(false)
  })

  it('opens the browser of the environment where no option names one', () => {
    vi.stubEnv('BROWSER', 'firefox')
    expect(readAppOptions([], '1.0.0').browserCommand).toBe('firefox')
    vi.stubEnv('BROWSER', '')
    expect(readAppOptions([], '1.0.0')).not.toHaveProperty('browserCommand')
  })

  it('refuses a key store that there is not', () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(() => readAppOptions(['--secret-store', 'cloud'], '1.0.0')).toThrow(/cloud/)
    expect(written).toHaveBeenCalled()
    written.mockRestore()
  })
})
