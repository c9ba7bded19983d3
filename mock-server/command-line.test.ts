import { CommanderError } from 'commander'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readOptions, serverOptions } from './command-line'
import { createMockServer } from './server'

let printed = ''
beforeEach(() => {
  printed = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const open = (words: readonly string[]) => createMockServer(serverOptions(readOptions(words)))

it.each([
  '--port 65536',
  '--port http',
  '--host ',
  '--seed -1',
  '--tunnel ipsec',
  '--redirect-discovery 307',
  '--portal-version 1.0.0',
  '--api 4',
  '--session-seconds 0',
  '--org-auth digest',
  '--now tomorrow',
  '--unknown',
  'operand',
  '--origin mock.example',
  '--origin http://mock.example/path',
  '--tls-cert cert.pem',
  '--tls-key key.pem',
  '--tls-ca ca.pem',
  '--tls-ca-key ca.key',
  '--scenario /nowhere.json',
  '--scenario package.json',
  '--tls-ca ca.pem --tls-ca-key ca.key --tls-cert cert.pem --tls-key key.pem',
  '--cors app.example',
  '--client id',
  '--client id=javascript:alert(1)',
  '--org-auth other',
  '--old-tls',
  '--push-default-route',
  '--tunnel wireguard --tunnel-port 11940',
])('refuses %s with a reason', (words) => {
  expect(() => readOptions(words.split(' '))).toThrow(CommanderError)
  expect(printed).toMatch(/^error: .{10}/)
})

it('records nothing that would be sent in the clear', () => {
  expect(() => readOptions(['--record', 'http://vpn.example/'])).toThrow(CommanderError)
  expect(printed).toContain('is not an address such as https://')
})

it('refuses a TLS certificate that cannot be read', async () => {
  await expect(open(['--tls-cert', '/none/cert.pem', '--tls-key', '/none/key.pem'])).rejects.toThrow(
    'The TLS certificate /none/cert.pem cannot be read.',
  )
})

it.runIf(process.platform === 'linux')('refuses a data directory where the system makes none', async () => {
  await expect(open(['--port', '0', '--data-dir', '/proc/none/below'])).rejects.toThrow('ENOENT')
})

it('gives the same answers, times included, for the same seed, time and calls', async () => {
  const answers = async () => {
    const words = ['--port', '0', '--seed', '3', '--now', '2026-11-20T12:00:00Z']
    const mock = await createMockServer(serverOptions(readOptions(words)))
    const { origin } = mock
    const texts: string[] = []
    const hear = async (path: string, init?: RequestInit) => {
      texts.push((await (await fetch(origin + path, init)).text()).replaceAll(origin, ''))
    }
    const json = (body: object) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await hear('/v2.0.0/attachments/', json({ type: 'INTERNAL', title: 'A file', extension: 'txt' }))
    await hear('/v2.0.0/attachments/?pageSize=100')
    await hear('/2.3/misprints/new', json({ text: 'A misprint', url: 'https://www.example.org/' }))
    for (const path of ['/2.3/club', '/2.3/tweets', '/2.3/news', '/2.3/account/info']) await hear(path)
    await hear('/api/orgs', json({ name: 'New' }))
    await hear('/api/org/users')
    await hear('/_mock/misprints')
    await mock.close()
    return texts
  }
  const first = await answers()
  expect(first.join('\n')).toContain('2026-11-20T12:00:00')
  expect(await answers()).toEqual(first)
})
