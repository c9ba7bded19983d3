import { createPrivateKey } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { hostileTexts } from './hostile-configurations.testing'
import { findWindowsLauncher } from './windows-service'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { startupMessage } from './windows-service-messages'
import { errorMessage, startMessage, utf16 } from './windows-service.testing'
import { clientKeyPair, configurationFor, standIn, start } from './windows-tunnel.testing'

describe('the request to the service', () => {
  it("contains no secret but the passphrase of a key file in the user's own folder", async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    await start(service, configurationFor(9))
    const [asked] = service.asked
    expect(asked).toEqual({
      folder: service.folder,
      options: expect.stringMatching(
        /^--log openvpn\.log --config tunnel\.ovpn --service causeway-[0-9a-f]{32} 0$/,
      ) as string,
      input: expect.stringMatching(/^[0-9a-f]{64}\n$/) as string,
    })
    const text = await readFile(path.join(service.folder, 'tunnel.ovpn'), 'utf8')
    expect(text).not.toContain('BEGIN PRIVATE KEY')
    const key = /<key>\n([^]*)\n<\/key>/.exec(text)?.[1] ?? ''
    const passphrase = asked?.input.trim() ?? ''
    expect(createPrivateKey({ key, passphrase }).export({ type: 'pkcs8', format: 'pem' })).toBe(
      createPrivateKey(clientKeyPair.privateKey).export({ type: 'pkcs8', format: 'pem' }),
    )
    expect(text).not.toContain(passphrase)
    // Causeway's additions overrule the profile.
    const added = text.split('\n').slice(text.split('\n').indexOf('script-security 1'))
    expect(added.filter((line) => !line.startsWith('pull-filter accept '))).toEqual([
      'script-security 1',
      'ignore-unknown-option dns-updown',
      'dns-updown disable',
      'verb 3',
      'suppress-timestamps',
      'pull-filter reject "compress "',
      'pull-filter reject comp-lzo',
      'pull-filter ignore ""',
      'persist-key',
      'askpass stdin',
      '',
    ])
    expect(added).toContain('pull-filter accept "route "')
  })

  it('is not sent with a directive of a hostile configuration', async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: true })
    const launcher = createWindowsServiceLauncher(service)
    const { text: good } = configurationFor(9)
    expect(hostileTexts.length).toBeGreaterThanOrEqual(150)
    for (const text of hostileTexts) {
      const launching = launcher({
        configuration: `${text}\n${good}`,
        command: 'run',
        killSwitch: false,
      })
      await expect(launching, text).rejects.toMatchObject({
        code: expect.stringMatching(/^(profile-configuration|certificate)\//) as string,
      })
    }
    expect(service.messages).toEqual([])
    expect(await service.files()).toEqual([])
  })

  it('is not sent with a NUL character, or if it is too long', () => {
    expect(() => startupMessage({ folder: 'C:\\a\0--plugin x', options: '', input: '' })).toThrow()
    expect(() => startupMessage({ folder: '', options: 'x'.repeat(4094), input: '' })).toThrow()
    expect(startupMessage({ folder: 'C:\\é', options: '-', input: '' }).toString('hex')).toBe(
      '43003a005c00e90000002d0000000000',
    )
  })
})

describe('the answer of the service', () => {
  const refusal = errorMessage(
    0x20000001,
    'You have specified a config file location (tunnel.ovpn relative to C:\\x) that requires admin approval. This error may be avoided by adding your account to the "OpenVPN Administrators" group',
    'no such text\r\n',
  )
  it.each<[string, readonly Buffer[], string, object]>([
    [
      'that the user may not',
      [refusal],
      'helper/service-refused',
      { reason: expect.stringContaining('admin approval') as string },
    ],
    [
      'that it did not understand',
      [errorMessage(0x20000001, 'GetStartupData')],
      'helper/failed',
      { reason: 'service-error', code: '0x20000001', what: 'GetStartupData' },
    ],
    [
      'that Windows did not start OpenVPN',
      [errorMessage(2, 'CreateProcessAsUser', 'Not found.\r\n')],
      'helper/failed',
      { code: '0x00000002', what: 'CreateProcessAsUser' },
    ],
    [
      'an error with control characters',
      [errorMessage(5, 'a\u001b[31m\u0007b', '')],
      'helper/failed',
      { what: 'a [31m b' },
    ],
    ['nothing', [], 'helper/failed', { reason: 'unreadable-answer' }],
    [
      'half an answer',
      [startMessage(4242).subarray(0, 31)],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    [
      'in another encoding',
      [Buffer.from('0x00000000\n0x00001092\nProcess ID')],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    [
      'no number',
      [utf16('0x00000000\n0xzzzzzzzz\nProcess ID')],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    [
      'the number of a process of the system',
      [startMessage(4)],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    ['no error and no process', [errorMessage(0, 'x')], 'helper/failed', { reason: 'unreadable-answer' }],
    ['too much', [utf16('x'.repeat(20_000))], 'helper/failed', { reason: 'unreadable-answer' }],
  ])('is reported as an error: %s', async (_, chunks, code, details) => {
    const service = await standIn({ chunks, close: true })
    const launching = start(service, configurationFor(9))
    await expect(launching).rejects.toMatchObject({ code, details })
    expect(await service.files()).toEqual([])
  })

  it('may arrive byte by byte', async () => {
    const bytes = [...startMessage(4242)].map((byte) => Buffer.from([byte]))
    const service = await standIn({ chunks: bytes, close: false })
    const killed: number[] = []
    const run = await start(service, configurationFor(9), {
      gentleMs: 10,
      kill: (pid) => {
        killed.push(pid)
        void service.stop()
      },
    })
    await run.tunnel.stop()
    expect(killed).toEqual([4242])
    expect(await service.files()).toEqual([])
  })

  it('times out', async () => {
    const service = await standIn({ chunks: [], close: false })
    const launcher = createWindowsServiceLauncher({ ...service, timeoutMs: 50 })
    const launching = launcher({
      configuration: configurationFor(9).text,
      command: 'run',
      killSwitch: false,
    })
    await expect(launching).rejects.toMatchObject({ code: 'helper/failed', details: { reason: 'silent' } })
    expect(await service.files()).toEqual([])
  })

  it('is not awaited if the files of the connection cannot be written', async () => {
    const service = await standIn()
    await writeFile(service.folder, 'a file where a folder is needed')
    const launcher = createWindowsServiceLauncher({ ...service, folder: path.join(service.folder, 'tunnel') })
    const { text: configuration } = configurationFor(9)
    await expect(launcher({ command: 'run', configuration, killSwitch: false })).rejects.toMatchObject({
      code: 'data/unwritable',
    })
    expect(service.messages).toEqual([])
  })

  it('is missing if the service does not run', async () => {
    const service = await standIn()
    await expect(
      start(service, configurationFor(9), { pipe: `${service.pipe}-of-nobody` }),
    ).rejects.toMatchObject({
      code: 'helper/service-missing',
    })
  })
})

describe('the launcher on Windows', () => {
  const helper = (running: unknown, elevated: boolean) => (word?: string) => {
    const answers = { service: { installed: true, running }, account: { elevated, groups: [] } }
    const answer = word === 'service' ? answers.service : answers.account
    return [process.execPath, '-e', `console.log(${JSON.stringify(JSON.stringify(answer))})`] as const
  }

  it("uses the service if it runs, and otherwise this process's own rights", async () => {
    expect(await findWindowsLauncher('x', undefined, helper(true, false))).toBeTypeOf('function')
    expect(await findWindowsLauncher('x', undefined, helper(false, true))).toBeUndefined()
    await expect(findWindowsLauncher('x', undefined, helper(false, false))).rejects.toMatchObject({
      code: 'helper/service-missing',
    })
  })

  it("starts nothing with the kill switch unless both services are there, whatever this process's rights", async () => {
    const service = { helper: '/nonexistent/causeway-helper.exe', elevation: 'service' } as const
    const find = (found: typeof service | undefined, running: boolean) =>
      findWindowsLauncher('x', () => Promise.resolve(found), helper(running, true))
    expect(await find(service, true)).toBeTypeOf('function')
    await expect(find(undefined, true)).rejects.toMatchObject({ code: 'helper/kill-switch-not-offered' })
    await expect(find(service, false)).rejects.toMatchObject({ code: 'helper/service-missing' })
  })

  it.each([
    ['is missing', () => ['/nonexistent/causeway-helper.exe'] as const],
    ['answers something else', helper('maybe', true)],
  ])('starts nothing if the helper %s', async (_, unusable) => {
    await expect(findWindowsLauncher('x', undefined, unusable)).rejects.toMatchObject({
      code: 'helper/windows-helper-unusable',
    })
  })
})
