import { z } from 'zod'
import { filesBelow } from '../scripts/files-below'
import { expect, test } from './fixtures'
import { keptEntries, keptSecret } from './key-store'
import { commandLineOf, openVpnOf } from './processes'
import { expectTunnel } from './tunnel'

const keyPair = z.object({ privateKey: z.string().startsWith('-----BEGIN') })
const tokens = z.object({ accessToken: z.string().min(20), refreshToken: z.string().min(20) })

function holds(bytes: Buffer | string, secret: string): boolean {
  return bytes.includes(secret) || (typeof bytes !== 'string' && bytes.includes(secret, 0, 'utf16le'))
}

test('keeps tokens and private key in the key store only', async ({ launch, mock, folder, logIn }) => {
  const app = await launch({ env: { CAUSEWAY_VERBOSE: '1' } })
  const { window, pid } = app
  await window.addInstance(mock.instance)
  await logIn(window)
  await window.connect('Internet Access')
  const connected = await expectTunnel(window, mock)

  const { accessToken, refreshToken } = tokens.parse(await keptSecret('tokens', mock.host))
  const { privateKey } = keyPair.parse(await keptSecret('key-pair', mock.host))
  const requests = await mock.requests()
  expect(requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${accessToken}`)
  const keyLines = privateKey.split('\n').filter((line) => line.length >= 40 && !line.startsWith('-'))
  expect(keyLines.length).toBeGreaterThan(0)
  const entries = [...(await keptEntries(mock.host)).values()].map((entry) => entry.slice(-64))
  const secrets = [accessToken, refreshToken, 'PRIVATE KEY-----', ...keyLines, ...entries]

  const shown = await window.page.content()
  const state = await window.page.evaluate<string>('window.causeway.state().then(JSON.stringify)')
  const started = process.platform === 'linux' ? [pid, ...(await openVpnOf(pid))] : []
  const commandLines = await Promise.all(started.map(commandLineOf))
  if (connected) await window.disconnect()
  await app.quit()
  expect(app.output()).not.toBe('')

  const places: [string, Buffer | string][] = [
    ['the page', shown],
    ["the page's state", state],
    ['a command line', commandLines.join('\n')],
    ['the output', app.output()],
    ...(await filesBelow(folder)).map(({ path, content }): [string, Buffer] => [path, content]),
  ]
  expect(places.length).toBeGreaterThan(5)
  for (const [place, content] of places) {
    for (const secret of secrets) expect(holds(content, secret), `a secret in ${place}`).toBe(false)
  }
})
