import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { causeway } from './peers/causeway'
import { networkManager } from './peers/network-manager'
import { openVpnUnit } from './peers/openvpn-unit'
import type { Peer } from './peers/peer'
import { wgQuick } from './peers/wg-quick'
import { nowMs, startProbe } from './probe'
import { takeTurns } from './take-turns'
import type { Setting } from './wireguard-process'

export interface PeersSetting extends Setting {
  /** The bundle of bench/peers-causeway.ts. */
  readonly bundle: string
  /** A process in the network of the servers. */
  readonly serverPid: number
  readonly rounds: number
}

/** What one peer took; a value for each round. */
export interface PeerFigures {
  readonly name: string
  readonly protocol: Peer['protocol']
  readonly firstAnswerMs: readonly number[]
  readonly processorMs: readonly number[]
  readonly memoryMb: readonly number[]
  /** Packets without an answer from a change of the network on, at 100 a second; null if none came within the limit. */
  readonly lost: readonly (number | null)[]
  /** Seconds from the server's silence until the peer said so; null if it didn't within the limit, none if it can't. */
  readonly noticedSeconds: readonly (number | null)[]
}

export interface PeersMeasured {
  readonly peers: readonly PeerFigures[]
  /** Those that don't run here, and why. */
  readonly missing: readonly { readonly name: string; readonly why: string }[]
}

const limitMs = { answer: 60_000, change: 30_000, silence: 75_000 }

async function measure(settingFile: string): Promise<PeersMeasured> {
  const setting = JSON.parse(await readFile(settingFile, 'utf8')) as PeersSetting
  const [peers, missing] = [[] as Peer[], [] as { name: string; why: string }[]]
  const offers: readonly (readonly [string, () => Promise<Peer>])[] = [
    ['Causeway', () => causeway(setting.bundle, settingFile, 'wireguard')],
    ['wg-quick', () => wgQuick(setting)],
    ['Causeway', () => causeway(setting.bundle, settingFile, 'openvpn')],
    ["openvpn, as Debian's unit starts it", () => openVpnUnit(setting)],
    ['NetworkManager with its plug-in for OpenVPN', () => networkManager(setting)],
  ]
  try {
    for (const [name, offer] of offers) {
      try {
        peers.push(await offer())
      } catch (error) {
        missing.push({ name, why: reasonOf(error) })
      }
    }
    if (setting.program !== null)
      missing.push({
        name: 'NetworkManager with WireGuard',
        why: "it takes the kernel's WireGuard, which this kernel doesn't have",
      })
    missing.push({
      name: "eduvpn-common's command line",
      why: 'it asks a service for a configuration and prints it, but makes no tunnel',
    })
    const working: Peer[] = []
    for (const peer of peers) {
      try {
        await useOnce(setting, peer, () => Promise.resolve())
        working.push(peer)
      } catch (error) {
        missing.push({ name: peer.name, why: reasonOf(error) })
      }
    }
    const figures = await connecting(setting, working)
    for (const each of figures) {
      const peer = peers.find(({ name, protocol }) => name === each.name && protocol === each.protocol)
      if (peer === undefined) continue
      try {
        // What never comes back needn't show it twice.
        while (each.lost.length < 3 && !each.lost.includes(null)) each.lost.push(await change(setting, peer))
        if (peer.noticed !== undefined) each.noticedSeconds.push(await silence(setting, peer))
      } catch (error) {
        missing.push({ name: `${peer.name} after a change of network`, why: reasonOf(error) })
      }
      console.error(JSON.stringify(each))
    }
    return { peers: figures, missing }
  } finally {
    for (const peer of peers) await peer.end()
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Value)[] ? Value[] : T[Key] }

/** Connects with each peer in turn. */
async function connecting(setting: PeersSetting, peers: readonly Peer[]): Promise<Mutable<PeerFigures>[]> {
  const figures = peers.map(({ name, protocol }) => ({
    name,
    protocol,
    firstAnswerMs: [] as number[],
    processorMs: [] as number[],
    memoryMb: [] as number[],
    lost: [],
    noticedSeconds: [],
  }))
  const works = peers.map((peer, index) => {
    const work = () =>
      useOnce(setting, peer, async ({ began, at, before }) => {
        // With what it does right after.
        await wait(300)
        figures[index]?.processorMs.push((await peer.group.processorMs()) - before)
        figures[index]?.memoryMb.push(await peer.group.memoryMb())
        return at - began
      })
    return [String(index), work] as const
  })
  const times = await takeTurns(setting.rounds, Object.fromEntries(works))
  return figures.map((each, index) => ({
    ...each,
    firstAnswerMs: times[String(index)] ?? [],
    // The first round doesn't count.
    processorMs: each.processorMs.slice(1),
    memoryMb: each.memoryMb.slice(1),
  }))
}

interface Used {
  readonly began: number
  /** The time of the first answer. */
  readonly at: number
  /** The processor time of the peer before. */
  readonly before: number
}

/** Connects once, waits for the first answer, and works with the tunnel. */
async function useOnce<T>(setting: PeersSetting, peer: Peer, work: (used: Used) => Promise<T>): Promise<T> {
  try {
    await peer.prepare?.()
    const before = await peer.group.processorMs()
    const probe = await startProbe(setting.inside, setting.port, 2)
    const began = nowMs()
    try {
      const [at] = await Promise.all([answer(probe.first, peer), peer.connect()])
      return await work({ began, at, before })
    } finally {
      await probe.end()
      await peer.disconnect()
    }
  } finally {
    await peer.rest?.()
    await restoreNetwork()
  }
}

/** Gives this computer its first network again. */
async function restoreNetwork(): Promise<void> {
  for (const [device, address] of Object.entries({ wan: '10.77.1.2/24', wan2: '10.77.2.2/24' })) {
    await ip(`address flush dev ${device}`)
    await ip(`address add ${address} dev ${device}`)
  }
  await ip('link set wan2 down')
  await ip('link set wan up')
  await ip('route replace default via 10.77.1.1 dev wan')
}

async function answer(first: Promise<number>, { name }: Peer): Promise<number> {
  const at = await within(first, limitMs.answer)
  if (at === undefined) throw new Error(`Nothing came through the tunnel of ${name}.`)
  return at
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const stop = new AbortController()
  const end = wait(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined)
  const found = await Promise.race([work, end])
  stop.abort()
  return found
}

async function ip(words: string): Promise<void> {
  await execa('ip', words.split(' '))
}

/** Takes the network away and offers another one, and returns how many packets got no answer. */
function change(setting: PeersSetting, peer: Peer): Promise<number | null> {
  return useOnce(setting, peer, async () => {
    await wait(2000)
    const probe = await startProbe(setting.inside, setting.port, 10)
    await probe.first
    const changedAt = nowMs()
    await ip('link set wan down')
    await ip('link set wan2 up')
    await ip('route add default via 10.77.2.1 dev wan2 metric 200')
    const again = await startProbe(setting.inside, setting.port, 10)
    const at = await within(again.first, limitMs.change)
    // Some may get through before the rest does.
    if (at !== undefined) await wait(2000)
    await again.end()
    const sent = await probe.end()
    return at === undefined
      ? null
      : sent.filter(([time, isAnswered]) => time >= changedAt && !isAnswered).length
  })
}

/** Lets the server fall silent, and returns the seconds until the peer says so. */
function silence(setting: PeersSetting, peer: Peer): Promise<number | null> {
  const nft = (rules: string) =>
    execa('nsenter', [`--net=/proc/${String(setting.serverPid)}/ns/net`, 'nft', '-f', '-'], { input: rules })
  return useOnce(setting, peer, async () => {
    // Until what it tests at first is over.
    await wait(12_000)
    const noticed = peer.noticed?.()
    if (noticed === undefined) return null
    const began = nowMs()
    await nft(`add table inet dead
add chain inet dead in { type filter hook input priority -10; }
add chain inet dead out { type filter hook output priority -10; }
add rule inet dead in udp dport { 1194, 51820 } drop
add rule inet dead out udp sport { 1194, 51820 } drop`)
    const seconds = await within(
      noticed.then(() => (nowMs() - began) / 1000),
      limitMs.silence,
    )
    await nft('delete table inet dead')
    return seconds ?? null
  })
}

process.stdout.write(JSON.stringify(await measure(process.argv[2] ?? '')))
