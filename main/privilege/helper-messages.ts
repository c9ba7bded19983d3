import { isIP } from 'node:net'

import { type DnsWay, dnsWays } from '../../contract/choices'
import { CausewayError } from '../errors'
import { printable } from '../../contract/safe-text'

/** A line of the helper's standard error, without its prefix (docs/helper.md, "Protocol"). */
export type HelperMessage =
  /** The log alone shows them: what the helper does without, and how it came to a way to set DNS servers. */
  | { readonly message: 'problem' | 'dns-way' }
  | { readonly message: 'unknown-command' | 'ipv6' }
  | { readonly message: 'started'; readonly device: string }
  | ({ readonly message: 'dns' } & (
      | ({ readonly outcome: 'applied' } & Pick<DnsOutcome, 'way' | 'allNames'>)
      | ({ readonly outcome: 'cannot' | 'refused' | 'lost' } & Pick<DnsOutcome, 'problem'>)
    ))
  | { readonly message: 'kill-switch'; readonly state: 'on' | 'left' | 'released' | 'lifted' | 'none' }
  /** Whether the firewall of Windows has the rules that block local networks, which the service asks it. */
  | { readonly message: 'local-network'; readonly state: 'blocked' | 'open' | 'unknown' }
  /** The addresses of the servers that the kill switch lets OpenVPN contact on Windows, by their number in the request. */
  | { readonly message: 'permitted'; readonly addresses: ReadonlyMap<number, readonly string[]> }
  | { readonly message: 'repaired'; readonly device: string }
  | { readonly message: 'killed'; readonly signal: string }
  | { readonly message: 'refused'; readonly directive: string }
  | ({ readonly message: 'failed'; readonly reason: string } & HelperCause)
  /** The answer to a command about an app, in their order. */
  | { readonly message: 'app'; readonly outcome: AppOutcome }
  | WireGuardMessage

/**
 * What became of a command about an app: `gone` and `none` if it has ended, `managed` and `limited` if it may not leave its group, `names` if apps
 * outside ask the named servers, `off` without the feature.
 */
const appOutcomes = [
  'added',
  'removed',
  'moved',
  'names',
  'gone',
  'none',
  'managed',
  'limited',
  'refused',
  'full',
  'failed',
  'off',
] as const
export type AppOutcome = (typeof appOutcomes)[number]

/** What failed at the helper, as far as it knows. */
export interface HelperCause {
  /** A step of its own, or a program of the system: `make-tun`, `nft`. */
  readonly step?: string | undefined
  /** The name of the kernel's error, or a fixed word: `EPERM`, `exit-1`. */
  readonly cause?: string | undefined
}

/** What became of setting DNS servers. */
export interface DnsOutcome {
  readonly applied: boolean
  /** Of the helper; undefined for a word of another version. */
  readonly way?: DnsWay | undefined
  /** They are asked for every name, because this computer can't limit them to the domains of the tunnel. */
  readonly allNames?: true | undefined
  /** Why they couldn't be set, as far as somebody can do something about it: /etc/resolv.conf is immutable. */
  readonly problem?: 'immutable' | undefined
}

/** The messages of WireGuard tunnels alone. */
type WireGuardMessage =
  | { readonly message: 'remote'; readonly address: string; readonly port: number }
  /** `seconds` since the last handshake, if there was one, and the counters so far; none of it if it couldn't be read. */
  | {
      readonly message: 'handshake'
      readonly seconds?: number
      readonly counters?: WireGuardCounters
    }
  | { readonly message: 'resolve' | 'next'; readonly outcome: 'same' | 'changed' | 'failed' }
  | { readonly message: 'dial'; readonly outcome: 'permitted' | 'refused' | 'failed' }
  | { readonly message: 'test'; readonly outcome: 'full' | 'small' | 'none' }
  | { readonly message: 'mtu' }
  /** The computer's own route to this network stays in force. */
  | { readonly message: 'route-kept'; readonly network: string }
  /** The program for WireGuard in user space ended by itself; another program deleted a part of the tunnel. */
  | { readonly message: 'exited' | 'gone' }

/** The counters of a WireGuard tunnel. */
export interface WireGuardCounters {
  /** The bytes of WireGuard's messages, of its own ones, too. */
  readonly received: number
  readonly sent: number
  /** The counters of the device, if they could be read. */
  readonly device?: {
    readonly inPackets: number
    readonly inBytes: number
    /** The packets that programs handed to it; undefined if it counts WireGuard's own ones, too. */
    readonly outPackets: number | undefined
    /** The packets that it didn't take. */
    readonly lost: number
  }
  /** The system refuses packets to the server. */
  readonly hasNoWay?: true
}

/** The messages of a helper that did nothing. */
export type HelperFailure = Extract<HelperMessage, { message: 'refused' | 'failed' }>

/** Parses a line; undefined for the output of system programs, and for messages of another version. */
export function parseHelperMessage(line: string): HelperMessage | undefined {
  const [, message = '', rest = ''] = /^causeway-helper: ([a-z0-9-]+)(?: (.*))?$/.exec(line) ?? []
  const oneOf = <T extends string>(...words: readonly T[]) =>
    words.find((each) => each === rest.split(' ')[0])
  switch (message) {
    case 'unknown-command':
    case 'problem':
    case 'dns-way':
    case 'ipv6':
    case 'mtu':
    case 'exited':
    case 'gone':
      return { message }
    case 'started':
      return { message, device: printable(rest.split(' ')[0] ?? '', 15) }
    case 'dns': {
      const outcome = oneOf('applied', 'cannot', 'refused', 'lost')
      const [, word, names] = rest.split(' ')
      if (outcome !== 'applied')
        return outcome && { message, outcome, problem: word === 'immutable' ? word : undefined }
      const way = dnsWays.find((each) => each === word)
      return { message, outcome, way, allNames: names === 'all' ? true : undefined }
    }
    case 'kill-switch': {
      const state = oneOf('on', 'left', 'released', 'lifted', 'none')
      return state && { message, state }
    }
    case 'local-network': {
      const state = oneOf('blocked', 'open', 'unknown')
      return state && { message, state }
    }
    case 'permitted':
      return permitted(rest.split(' '))
    case 'remote': {
      const [address = '', port = ''] = rest.split(' ')
      return isIP(address) === 0 || !/^\d{1,5}$/.test(port)
        ? undefined
        : { message, address, port: Number(port) }
    }
    case 'handshake':
      return handshake(rest)
    case 'resolve':
    case 'next': {
      const outcome = oneOf('same', 'changed', 'failed')
      return outcome && { message, outcome }
    }
    case 'dial': {
      const outcome = oneOf('permitted', 'refused', 'failed')
      return outcome && { message, outcome }
    }
    case 'test': {
      const outcome = oneOf('full', 'small', 'none')
      return outcome && { message, outcome }
    }
    case 'app': {
      const outcome = oneOf(...appOutcomes)
      return outcome && { message, outcome }
    }
    case 'route-kept':
      return { message, network: printable(rest, 45) }
    case 'repaired':
      return { message, device: printable(rest, 15) }
    case 'killed':
      return { message, signal: printable(rest, 15) }
    case 'refused':
      return { message, directive: printable(rest, 40) }
    case 'failed': {
      const [reason = '', step, cause] = rest.split(' ').map((each) => printable(each, 40))
      return { message, reason, step, cause }
    }
    default:
      return undefined
  }
}

function permitted(words: readonly string[]): HelperMessage | undefined {
  const addresses = new Map<number, readonly string[]>()
  for (const word of words) {
    const [, number, address = ''] = /^(\d{1,2})=(.+)$/.exec(word) ?? []
    if (number === undefined || isIP(address) === 0) return undefined
    addresses.set(Number(number), [...(addresses.get(Number(number)) ?? []), address])
  }
  return { message: 'permitted', addresses }
}

function handshake(text: string): HelperMessage {
  const form =
    /^(-|\d{1,10}) (\d{1,16}) (\d{1,16})(?: (\d{1,16}) (\d{1,16}) (-|\d{1,16}) (\d{1,16}))?( no-way)?$/
  const [, seconds, received, sent, inPackets, inBytes, outPackets, lost, noWay] = form.exec(text) ?? []
  const message = 'handshake'
  if (seconds === undefined) return { message }
  const device = inPackets !== undefined && {
    inPackets: Number(inPackets),
    inBytes: Number(inBytes),
    outPackets: outPackets === '-' ? undefined : Number(outPackets),
    lost: Number(lost),
  }
  const counters: WireGuardCounters = {
    received: Number(received),
    sent: Number(sent),
    ...(device && { device }),
    ...(noWay !== undefined && { hasNoWay: true }),
  }
  return { message, ...(seconds !== '-' && { seconds: Number(seconds) }), counters }
}

/** Returns the details for the error of a helper that failed: its reason, and what failed there. */
export function failureDetails({ reason, step, cause }: Extract<HelperFailure, { message: 'failed' }>) {
  return { reason, ...(step !== undefined && { step }), ...(cause !== undefined && { cause }) }
}

/** Returns the error for a helper that refused or failed. Launchers handle the failures of their protocol. */
export function helperError(
  failure: HelperFailure,
  platform: NodeJS.Platform = process.platform,
): CausewayError {
  /** There, the helper is Causeway's service. */
  const isWindows = platform === 'win32'
  if (failure.message === 'refused') {
    const { directive } = failure
    // A helper of an older version doesn't know the line.
    const isApps = directive === 'apps' || directive === 'app'
    const variant = isApps ? 'apps' : isWindows ? 'own-service' : undefined
    return new CausewayError('helper/refused', { variant, details: { directive } })
  }
  const details = failureDetails(failure)
  switch (failure.reason) {
    case 'no-pf':
    case 'pf':
    case 'pf-anchor':
      return new CausewayError('helper/kill-switch-failed', { variant: 'pf', details })
    case 'other-tunnel':
      return new CausewayError('helper/other-tunnel')
    case 'too-many':
      return new CausewayError('helper/too-many-tunnels')
    case 'not-at-console':
      return new CausewayError('helper/not-authorized', { details })
    case 'not-owner':
      return new CausewayError('helper/not-authorized', { variant: 'not-owner', details })
    case 'service-missing':
      return new CausewayError('helper/not-installed', { variant: 'service' })
    case 'service':
    case 'service-not-started':
    case 'service-of-others':
      return new CausewayError('helper/failed', { variant: 'own-service', details })
    case 'no-nft':
      return new CausewayError('helper/kill-switch-failed', { details })
    case 'kill-switch': {
      const variant = isWindows ? 'windows' : undefined
      return new CausewayError('helper/kill-switch-failed', { variant, details })
    }
    case 'undo':
      return new CausewayError('helper/failed', { variant: 'not-undone', details })
    case 'stopped':
      return new CausewayError('helper/failed', { details })
    default: {
      const variant = isWindows ? 'own-service' : undefined
      return new CausewayError('helper/failed', { variant, details })
    }
  }
}
