import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServices } from '../main/app/services'
import { buildConfiguration } from '../main/tunnel/openvpn/configuration'
import { createMockServer } from '../mock-server/server'
import { buildOwnHelper, builtHelper } from '../scripts/build-helper'
import { missingElectron } from '../scripts/electron-runtime'
import { answerHelp } from '../scripts/help'
import { countRequests } from './request-count'
import { benchWireGuard } from './wireguard'
import { compareTimeToConnected, type TimeToConnected } from './time-to-connected'

/**
 * `npm run bench`: writes bench/results/latest.json and prints a table. The tunnels are real, over a veth pair to the
 * mock server's network namespace, so it needs root. `npm run bench -- connect` measures the time to connected only.
 */
answerHelp(`Usage: npm run bench [-- connect|wireguard]

Measures Causeway beside bare programs, prints tables and writes bench/results/latest.json. It takes several minutes, and
needs root, /dev/net/tun, Go and an Electron runtime.

  connect    only the time to connected, without a window
  wireguard  only WireGuard, beside a script of ip and wg and beside OpenVPN`)

if (process.argv[2] === 'wireguard') {
  await benchWireGuard()
  process.exit()
}
const onlyConnect = process.argv[2] === 'connect'
const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
const server = await createMockServer({ autoApprove: true, tunnel: 'openvpn', tunnelHooks: false })
try {
  if (server.tunnel.mode !== 'full') {
    throw new Error('The benchmarks need a tunnel with a device: run them as root, with /dev/net/tun.')
  }
  const why = onlyConnect ? undefined : await missingElectron()
  if (why !== undefined) throw new Error(`There is no Electron runtime to measure. ${why}.`)
  const services = createServices({
    dataDir: folder,
    secretStore: 'file',
    openBrowser: async (url) => {
      await fetch(url)
    },
    onNotice: () => undefined,
  })
  const instance = await services.addInstance({ address: server.instance })
  await services.session(instance).logIn()
  const { signal } = new AbortController()
  if (!(await buildOwnHelper())) throw new Error('The benchmarks need Go, which builds the helper.')
  const timesToConnected: TimeToConnected[] = []
  for (const protocol of ['udp', 'tcp'] as const) {
    const portal = await services.portal(instance)
    const { tunnel } = await portal.connect(
      'internet',
      { remoteStrategy: undefined, preferTcp: false },
      signal,
    )
    if (tunnel.protocol !== 'openvpn') throw new Error('The mock server grants OpenVPN.')
    const configuration = buildConfiguration(tunnel.profile, tunnel, {
      platform: process.platform,
      mode: 'full',
      preferTcp: protocol === 'tcp',
    })
    const file = join(folder, `${protocol}.ovpn`)
    await writeFile(file, configuration.text, { mode: 0o600 })
    timesToConnected.push(await compareTimeToConnected(protocol, configuration, file, builtHelper, 20))
  }

  printTimesToConnected(timesToConnected)
  if (!onlyConnect) await benchTheRest(timesToConnected)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await server.close()
  await rm(folder, { recursive: true, force: true })
}

async function benchTheRest(timesToConnected: readonly TimeToConnected[]): Promise<void> {
  const { benchMockServer } = await import('./mock-server')
  const { compareUploads } = await import('./uploads')
  const { benchWindow, printWindow } = await import('./window')
  const requests = [...(await countRequests(folder, 2, 5)), ...(await countRequests(folder, 3, 5))]
  const mockServer = await benchMockServer()
  const uploads = await compareUploads(folder)

  const window = await benchWindow(folder)

  const results = { date: new Date().toISOString(), timesToConnected, requests, mockServer, uploads, window }
  const resultsFolder = join(import.meta.dirname, 'results')
  await mkdir(resultsFolder, { recursive: true })
  await writeFile(join(resultsFolder, 'latest.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  console.log(
    '\nHTTP requests of a connection, in the order of their arrival, and medians of the time until connected',
  )
  console.table(requests)
  console.log(
    '\nThe mock server: requests per second beside a bare Fastify route with the same answer, medians',
  )
  console.table(
    mockServer.throughput.map(({ request, rounds, mock, bareFastify, ratio }) => ({
      request,
      rounds,
      mock: mock.toFixed(0),
      'bare Fastify': bareFastify.toFixed(0),
      ratio: ratio.toFixed(2),
    })),
  )
  const { startManyMs, worldMs } = mockServer
  console.log(
    `\nThe mock server: 50 mocks start in ${startManyMs.toFixed(0)} ms, a world in ${worldMs.toFixed(1)} ms`,
  )
  console.log('\nThe mock server: memory after requests of profile_list, garbage collected')
  console.table(
    mockServer.memory.map(({ requests: answered, rssBytes, heapBytes }) => ({
      requests: answered,
      'resident, MiB': (rssBytes / 2 ** 20).toFixed(1),
      'heap, MiB': (heapBytes / 2 ** 20).toFixed(1),
    })),
  )
  console.log('\nAn upload of 1 GiB beside curl -T to the same mock, medians, and the most memory each took')
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  console.table({
    curl: {
      'MiB/s': mebibytes(uploads.bytesPerSecond.curl),
      'resident, MiB': mebibytes(uploads.peakBytes.curl),
    },
    Causeway: {
      'MiB/s': mebibytes(uploads.bytesPerSecond.causeway),
      'resident, MiB': mebibytes(uploads.peakBytes.causewayLarge),
      'after 1 MiB only': mebibytes(uploads.peakBytes.causewaySmall),
      ratio: uploads.ratio.toFixed(2),
    },
  })
  printWindow(window)
}

function printTimesToConnected(timesToConnected: readonly TimeToConnected[]): void {
  console.log('\nTime from spawn to connected, medians (goal: a ratio of at most 1.05, with the helper 1.25)')
  console.table(
    timesToConnected.map(({ protocol, runs, ms, ratio }) => ({
      protocol,
      runs,
      'bare OpenVPN, ms': ms.bare.toFixed(1),
      'Causeway, ms': ms.direct.toFixed(1),
      ratio: ratio.direct.toFixed(3),
      'with the helper, ms': ms.helper.toFixed(1),
      'its ratio': ratio.helper.toFixed(3),
    })),
  )
}
