import { text } from 'node:stream/consumers'
import type { OpenVpnConfiguration } from './configuration'
import { createStartTunnel } from './start-openvpn.testing'

/** Starts the OpenVPN of its argument with the configuration of its input, and says when it contacts a server. */
await createStartTunnel({ binary: process.argv[2] ?? '' })({
  configuration: JSON.parse(await text(process.stdin)) as OpenVpnConfiguration,
  mode: 'handshake-only',
  onEvent: (event) => {
    if (event.event === 'phase' && event.phase === 'contacting') process.stdout.write('contacting')
  },
})
