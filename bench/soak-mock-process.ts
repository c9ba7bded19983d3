import { getEachMessage, sendMessage } from 'execa'
import { createMockServer, type MockServer } from '../mock-server/server'
import { ownResources } from './own-resources'

/**
 * The mock server of `npm run soak`, as a process of its own: it starts at a number, by which its clock is behind in milliseconds,
 * ends at "close", and answers anything else with what it holds.
 */
let mock: MockServer | undefined
for await (const message of getEachMessage()) {
  if (message === 'close') {
    await mock?.close()
    await sendMessage('closed')
    break
  }
  if (typeof message !== 'number') await sendMessage({ ...(await ownResources()) })
  else {
    mock = await createMockServer({
      api: '2,3',
      autoApprove: true,
      tunnel: 'both',
      pushDefaultRoute: true,
      clock: { now: () => new Date(Date.now() - message) },
    })
    if (mock.tunnel.mode !== 'full' || mock.wireguard.mode !== 'full')
      throw new Error('There are no whole tunnels here.')
    await sendMessage({ origin: mock.origin, port: mock.port, caFile: mock.caFile ?? '' })
  }
}
