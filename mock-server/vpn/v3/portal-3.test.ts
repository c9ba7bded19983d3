import { expect, it } from 'vitest'
import { inMemory } from '../../state/persistence'
import { SeededBytes } from '../../state/seeded-bytes'
import { VpnService } from '../vpn-service'

it('keeps one configuration of a login for two calls of connect at once', async () => {
  const vpn = new VpnService({
    clock: { now: () => new Date('2026-11-20T12:00:00Z') },
    persistence: inMemory,
    dataDir: undefined,
    seed: 1,
    ids: new SeededBytes(inMemory, 'ids', 1),
    secrets: new SeededBytes(inMemory, 'secrets', 1),
    origin: () => 'http://127.0.0.1:5006',
  })
  vpn.reset()
  const { accessToken } = vpn.tokens.issueTokens({ userId: 'tester', clientId: 'client' })
  const login = vpn.tokens.authorizationOf(accessToken)
  if (login === undefined) throw new Error('The token is not valid.')
  const connect = async (profileId: string): Promise<void> => {
    await vpn.version3.makeRoom(login, undefined)
    const origin = 'http://127.0.0.1:5006'
    const others = { publicKey: undefined, prefersTcp: false, accept: undefined, origin }
    await vpn.version3.connect(login, { profileId, ...others })
  }
  // Making room waits for the servers to disconnect clients.
  await Promise.all([connect('internet'), connect('office')])
  expect(vpn.version3.configurations).toMatchObject([{ profileId: 'office' }])
})
