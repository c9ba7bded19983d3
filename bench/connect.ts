import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { createServices } from '../main/app/services'
import { startProgram } from '../main/platform/child-process/start-program'
import { helperLauncher } from '../main/privilege/helper-client'
import { createStartTunnel } from '../main/tunnel/openvpn/start-openvpn.testing'
import { type OpenVpnConfiguration, buildConfiguration } from '../main/tunnel/openvpn/configuration'
import type { OpenVpnTunnel } from '../main/tunnel/tunnel'
import { createMockServer } from '../mock-server/server'
import { builtHelper } from '../scripts/build-helper'
import type { Figure } from './figure'
import { takeTurns } from './take-turns'

/** `npm run bench -- connect`: from the configuration until connected, over a veth pair to the mock's network namespace. */
export async function benchConnect(folder: string): Promise<Figure[]> {
  const server = await createMockServer({ autoApprove: true, tunnel: 'openvpn', tunnelHooks: false })
  const services = createServices({
    dataDir: folder,
    secretStore: 'file',
    openBrowser: async (url) => {
      await fetch(url)
    },
    onNotice: () => undefined,
  })
  try {
    if (server.tunnel.mode !== 'full')
      throw new Error('The benchmarks need a tunnel with a device: run them as root, with /dev/net/tun.')
    const instance = await services.addInstance({ address: server.instance })
    await services.session(instance).logIn()
    const portal = await services.portal(instance)
    const { signal } = new AbortController()
    const wanted = { remoteStrategy: undefined, preferTcp: false }
    const { tunnel } = await portal.connect('internet', wanted, signal)
    if (tunnel.protocol !== 'openvpn') throw new Error('The mock server grants OpenVPN.')
    const figures: Figure[] = []
    for (const protocol of ['udp', 'tcp'] as const)
      figures.push(...(await compareTimes(folder, protocol, tunnel, 20)))
    return figures
  } finally {
    await services.dispose()
    await server.close()
  }
}

/** Compares Causeway, with its own rights and through the helper, with OpenVPN started by hand, taking turns. */
async function compareTimes(
  folder: string,
  protocol: 'udp' | 'tcp',
  tunnel: OpenVpnTunnel,
  runs: number,
): Promise<Figure[]> {
  const configuration = buildConfiguration(tunnel.profile, tunnel, {
    platform: process.platform,
    mode: 'full',
    preferTcp: protocol === 'tcp',
  })
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    return file
  }
  const file = await write(`${protocol}.ovpn`, configuration.text)
  // As a portal serves it, with the lines for the other transport left out.
  const otherRemotes = protocol === 'tcp' ? /^remote .* udp\d?$/gm : /^remote .* tcp\S*$/gm
  const served = await write(
    `served-${protocol}.ovpn`,
    `${tunnel.profile.replace(otherRemotes, '')}
<cert>
${tunnel.certificate.trim()}
</cert>
<key>
${tunnel.privateKey.trim()}
</key>
`,
  )
  const direct = createStartTunnel()
  // As an installation does: each start of the very file that Go's linker wrote takes a sixth of a millisecond more, until it
  // is read from the disk again.
  const helper = join(folder, 'causeway-helper')
  await copyFile(builtHelper, helper)
  const throughHelper = createStartTunnel({
    findPrivileged: () => Promise.resolve(helperLauncher({ helper, elevation: 'root' })),
  })
  const rounds = await takeTurns(runs, {
    bare: () => afterAnswer(() => withOpenVpn(file)),
    direct: () => withCauseway(direct, configuration, 'first'),
    helper: () => withCauseway(throughHelper, configuration, 'first'),
    served: () => afterAnswer(() => withOpenVpn(served)),
    directAgain: () => withCauseway(direct, configuration, 'again'),
    helperAgain: () => withCauseway(throughHelper, configuration, 'again'),
  })
  const over = `over ${protocol.toUpperCase()}`
  const bare = { what: 'OpenVPN alone', values: rounds.bare }
  return [
    {
      what: `connected ${over}, with own rights`,
      unit: 'ms',
      own: rounds.direct,
      beside: bare,
      goal: { atMost: 1.05 },
      why: 'reading the routes from the kernel takes half a millisecond.',
    },
    {
      what: `connected ${over}, through the helper`,
      unit: 'ms',
      own: rounds.helper,
      beside: bare,
      goal: { atMost: 1.25 },
      why: 'checking the request and starting OpenVPN from the helper takes a millisecond; its watcher, the log that passes through it, and reading the routes from the kernel share the processors with OpenVPN and its server.',
    },
    {
      what: `connected ${over}, with own rights`,
      unit: 'ms',
      own: rounds.direct,
      beside: { what: 'OpenVPN with what the portal serves', values: rounds.served },
      // Without TCP_NODELAY, OpenVPN's handshake waits for acknowledgements.
      goal: protocol === 'tcp' ? { atMost: 0.5 } : undefined,
    },
    ...againFigures(over, rounds, bare),
  ]
}

/** Returns the figures of a connection that starts its program only then. */
function againFigures(
  over: string,
  rounds: Readonly<Record<'directAgain' | 'helperAgain', readonly number[]>>,
  bare: NonNullable<Figure['beside']>,
): Figure[] {
  return [
    {
      what: `connected again ${over}, with own rights`,
      unit: 'ms',
      own: rounds.directAgain,
      beside: bare,
      goal: { atMost: 1.1 },
      why: 'setpriv, which ties OpenVPN to the life of Causeway, has to start first, and OpenVPN gets its configuration once that is done: 1 ms of processor time, and a millisecond of waiting.',
    },
    {
      what: `connected again ${over}, through the helper`,
      unit: 'ms',
      own: rounds.helperAgain,
      beside: bare,
      goal: { atMost: 1.25 },
      why: 'the helper has to start first, then its watcher, which takes routes and rules back should the helper be killed: 2 ms of processor time each.',
    },
  ]
}

/** The time that a service near by takes to answer, in milliseconds. */
const answerMs = 50

async function afterAnswer<T>(work: () => Promise<T>): Promise<T> {
  await wait(answerMs)
  return work()
}

/**
 * Returns the milliseconds from the configuration, as the service answers it, until connected. Asking for the `first` one,
 * Causeway gets the tunnel's program ready; it keeps it to connect `again`.
 */
async function withCauseway(
  startTunnel: ReturnType<typeof createStartTunnel>,
  configuration: OpenVpnConfiguration,
  time: 'first' | 'again',
): Promise<number> {
  if (time === 'first') startTunnel.getReady('openvpn', 'full')
  await wait(answerMs)
  const began = performance.now()
  let connected: (milliseconds: number) => void
  const connectedAfter = new Promise<number>((resolve) => {
    connected = resolve
  })
  const tunnel = await startTunnel({
    configuration,
    mode: 'full',
    onEvent: ({ event }) => {
      if (event === 'connected') connected(performance.now() - began)
    },
  })
  const outcome = await Promise.race([connectedAfter, tunnel.ended])
  await tunnel.stop()
  if (typeof outcome !== 'number') throw new Error('Causeway did not connect', { cause: outcome })
  return outcome
}

/** Returns the milliseconds that OpenVPN takes by hand. It starts as Causeway starts it: execa took half of one more. */
export async function withOpenVpn(configurationFile: string): Promise<number> {
  const began = performance.now()
  const openVpn = startProgram(
    ['openvpn', '--config', configurationFile, '--verb', '3', '--script-security', '1'],
    { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
  )
  const limit = setTimeout(() => {
    openVpn.kill('SIGKILL')
  }, 30_000)
  let connectedAt: number | undefined
  for await (const line of createInterface({ input: openVpn.stdout })) {
    if (!line.includes('Initialization Sequence Completed')) continue
    connectedAt = performance.now()
    openVpn.kill('SIGTERM')
  }
  await openVpn.ended
  clearTimeout(limit)
  if (connectedAt === undefined) throw new Error('OpenVPN did not connect')
  return connectedAt - began
}
