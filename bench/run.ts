import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { arch, cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { buildOwnHelper } from '../scripts/build-helper'
import { writeFormatted } from '../scripts/format-text'
import { answerHelp } from '../scripts/help'
import { sbin } from '../scripts/program'
import { benchApps } from './apps'
import { benchConnect } from './connect'
import { type Figure, goalOf, inDigits, summarize } from './figure'
import { benchFiles } from './files'
import { benchMockServer } from './mock-server'
import { benchParsers } from './parsers'
import { type PeersResults, benchPeers, peersFigures } from './peers'
import { performancePage, performancePlot, withPeers } from './performance-page'
import { type RequestCount, benchRequests } from './requests'
import { benchTerminal } from './terminal'
import { benchWindow } from './window'
import { benchWireGuard } from './wireguard'

const usage = `Usage: npm run bench [-- PART…]

Measures Causeway beside bare programs, taking turns. All parts together take about 15 minutes, and write
bench/results/latest.json, docs/performance.md and its picture. They need root, /dev/net/tun, Go, curl and an Electron runtime.

  connect      the time until connected, beside OpenVPN alone
  requests     the first connection, beside a script with the same requests
  wireguard    WireGuard, beside a script of ip and wg and beside OpenVPN
  apps         apps outside the tunnel, beside no tunnel, and inside, beside a tunnel for all
  terminal     the terminal command, beside Node.js and OpenVPN alone
  window       the window, beside an empty one
  files        uploads and downloads, beside curl
  mock-server  the mock server, beside bare Fastify
  parsers      what reads texts of a server

One part runs only by its name, takes about 10 minutes, and writes a section of docs/performance.md, and bench/results/peers.json:

  peers        wg-quick, OpenVPN's unit and NetworkManager (Debian's packages wireguard-tools, openvpn,
               network-manager-openvpn and dbus), beside Causeway`
answerHelp(usage)

const tree = join(import.meta.dirname, '..')
const page = join(tree, 'docs', 'performance.md')
const peersFile = join(tree, 'bench', 'results', 'peers.json')
const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
let requests: RequestCount[] = []
const parts: Readonly<Record<string, () => Figure[] | Promise<Figure[]>>> = {
  connect: () => benchConnect(folder),
  requests: async () => {
    const measured = await benchRequests(folder)
    requests = measured.requests
    return measured.figures
  },
  wireguard: benchWireGuard,
  apps: benchApps,
  terminal: () => benchTerminal(folder),
  window: () => benchWindow(folder),
  files: benchFiles,
  'mock-server': benchMockServer,
  parsers: benchParsers,
}

const alone: typeof parts = {
  peers: async () => {
    const results = await benchPeers()
    await mkdir(join(peersFile, '..'), { recursive: true })
    await writeFile(peersFile, `${JSON.stringify(results, undefined, 2)}\n`)
    await writeFormatted(page, withPeers(await readFile(page, 'utf8'), results))
    return peersFigures(results)
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((part) => !Object.hasOwn({ ...parts, ...alone }, part))
try {
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".\n\n${usage}`)
  if (!(await buildOwnHelper())) throw new Error('The benchmarks need Go, which builds the helper.')
  if (wanted.length === 0 || wanted.some((part) => part === 'window' || part === 'terminal'))
    await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  const figures: Record<string, Figure[]> = {}
  for (const part of wanted.length === 0 ? Object.keys(parts) : wanted) {
    console.log(`\n${part}`)
    try {
      figures[part] = (await { ...parts, ...alone }[part]?.()) ?? []
      print(figures[part])
    } catch (error) {
      // The others take a quarter of an hour.
      console.error(`${part} failed.`, error)
      process.exitCode = 1
    }
  }
  if (requests.length > 0)
    console.table(requests.map((row) => ({ ...row, requests: row.requests.join(', ') })))
  if (wanted.length === 0) await keep(figures)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

function print(figures: readonly Figure[]): void {
  console.table(
    figures.map((figure) => {
      const { median, low, high, isMet } = summarize(figure)
      return {
        what: figure.what,
        beside: figure.beside?.what ?? '',
        is: figure.beside === undefined ? `${inDigits(median)} ${figure.unit}` : inDigits(median),
        'half of them': `${inDigits(low)}–${inDigits(high)}`,
        goal: goalOf(figure),
        met: isMet === undefined ? '' : isMet ? 'yes' : 'NO',
      }
    }),
  )
}

/** Writes the results and the page about them. */
async function keep(figures: Readonly<Record<string, Figure[]>>): Promise<void> {
  const { stdout: openVpn } = await execa('openvpn', ['--version'], { env: sbin, reject: false })
  const machine = {
    processor: `${String(cpus().length)} × ${cpus()[0]?.model ?? arch()}`,
    memory: `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    system: `Linux ${release()}`,
    node: process.version,
    openVpn: /^OpenVPN (\S+)/.exec(openVpn)?.[1] ?? '',
  }
  const results = { date: new Date().toISOString().slice(0, 10), machine, figures, requests }
  await mkdir(join(tree, 'bench', 'results'), { recursive: true })
  await writeFile(join(tree, 'bench', 'results', 'latest.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  const peers = JSON.parse(await readFile(peersFile, 'utf8')) as PeersResults
  await writeFormatted(page, withPeers(performancePage(results), peers))
  await writeFile(join(tree, 'docs', 'pictures', 'performance.svg'), performancePlot(figures))
}
