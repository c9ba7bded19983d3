import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import { toErrorReport } from '../errors'
import { knownWords } from '../platform/log/known-words'
import { logFields } from '../platform/log/log-fields'
import { runHelper } from '../privilege/helper-client'
import { PrivateNetwork } from '../privilege/full-tunnel.testing'
import { mayMakeNamespaces } from '../privilege/helper.testing'
import type { TunnelEvent } from '../tunnel/tunnel'
import { wireGuardBackend } from '../tunnel/wireguard/backend.testing'
import { configurationText } from '../tunnel/wireguard/configuration.testing'
import { ConnectionLog } from './diagnostics/connection-log'
import { errorFinding } from './diagnostics/error-finding'

const { failed: hasNoKernelWireGuard } = await execa(
  'unshare',
  ['-n', 'ip', 'link', 'add', 'type', 'wireguard'],
  { reject: false },
)
const may = (await mayMakeNamespaces()) && existsSync(builtUserspaceWireGuard)

/** Needs root. The real helper runs in a network of its own, where something of the system is missing. */
describe.runIf(may)('the cause of a failure of the helper', () => {
  const network = new PrivateNetwork()
  beforeAll(() => network.create())
  afterAll(() => network.remove())

  /** Connects with the real helper, and returns what everybody who looks for the cause reads. */
  async function connect(without: string, killSwitch: boolean) {
    const installed = await network.install(`${without}\nexec /mnt/causeway-helper "$@"\n`)
    try {
      const log = new ConnectionLog(() => new Date())
      const backend = wireGuardBackend({
        launch: (request) => runHelper({ helper: installed.helper, elevation: 'root' }, request),
        killSwitch,
        clock: { now: Date.now, after: () => () => undefined },
        proxyFor: () => Promise.resolve(undefined),
      })
      const onEvent = (event: TunnelEvent): void => {
        if (event.event === 'log') log.add(event.line)
      }
      const tunnel = await backend.openTunnel(
        {
          protocol: 'wireguard',
          transport: 'udp',
          profile: configurationText({ Endpoint: '203.0.113.10:51820' }),
          namedBy: 'https://vpn.example.org/api/v3',
          privateKey: Buffer.alloc(32, 1),
        },
        {
          target: { instanceId: 'vpn.example.org', profileId: 'internet' },
          mode: 'full',
          preferTcp: false,
          avoid: [],
          onEvent,
        },
      )
      const end = await tunnel.ended
      if (end.end !== 'failed') throw new Error('The tunnel was stopped.')
      const { error } = end
      const { code, details } = toErrorReport(error)
      return {
        code,
        details,
        log: log.after(0).map(({ text }) => text),
        logFile: logFields(error).details,
        evidence: errorFinding({ name: 'wireguard', status: 'missing', code: 'wireguard-missing' }, error)
          .facts,
      }
    } finally {
      await installed.remove()
    }
  }

  const everywhere = (code: string, line: string, details: Readonly<Record<string, string>>) => ({
    code,
    details,
    log: expect.arrayContaining([line]) as string[],
    logFile: details,
    evidence: details,
  })

  it.runIf(hasNoKernelWireGuard)('names the error with which the kernel refuses the device', async () => {
    const refusing = 'mount -t tmpfs -o nodev devices /dev/net\nmknod -m 666 /dev/net/tun c 10 200'
    expect(await connect(refusing, false)).toEqual(
      everywhere('wireguard/device-unavailable', 'failed no-tun open-tun EACCES', {
        reason: 'no-tun',
        step: 'open-tun',
        cause: 'EACCES',
      }),
    )
  })

  it('names the program that failed, and how it ended', async () => {
    expect(await connect('mount --bind /bin/false /usr/sbin/nft', true)).toEqual(
      everywhere('helper/kill-switch-failed', 'failed kill-switch nft exit-1', {
        reason: 'kill-switch',
        step: 'nft',
        cause: 'exit-1',
      }),
    )
  })
})

it('keeps every word of a failure of the helper in the log', async () => {
  const folder = path.join(import.meta.dirname, '../../helper')
  const sources = (await readdir(folder)).filter((name) => /(?<!_test)\.go$/.test(name))
  const texts = await Promise.all(sources.map((name) => readFile(path.join(folder, name), 'utf8')))
  const calls = /\b(?:failed|failedBy|sayProblem|at|cause|systemProgram|say)\("([\w.-]+)"(?:, "([\w.-]+)")?/g
  const words = texts.flatMap((text) =>
    [...text.matchAll(calls)].flatMap(([, word, step]) => [word, step]).filter(Boolean),
  )
  expect(words).toEqual(expect.arrayContaining(['no-tun', 'make-tun', 'nft', 'not-in-use', 'bypassed']))
  expect(words.filter((word) => knownWords(word ?? '') !== word)).toEqual([])
  const way = 'dns-way resolvectl=not-in-use resolvconf=missing NetworkManager=by-resolved resolv.conf=used'
  expect(knownWords(way)).toBe(way)
})
