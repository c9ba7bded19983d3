import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'
import { writeDirective } from './allowed-directives'
import type { Directive } from './configuration-tokenizer'
import { type Rebuild, rebuildCertificates, rebuildPrivateKey } from './pem'
import type { Remote, TunnelProxy } from '../tunnel'
import { readProfile } from './read-profile'
import { isAmong, writeRemote } from './remotes'

/** A configuration that Causeway wrote; its text contains the private key. */
export interface OpenVpnConfiguration {
  readonly text: string
  readonly remotes: readonly Remote[]
}

export interface ConfigurationOptions {
  readonly platform: NodeJS.Platform
  readonly mode: 'full' | 'handshake-only'
  /** Use only remotes over TCP. */
  readonly preferTcp?: boolean
  /** Reach the remotes through this proxy, which needs those over TCP. */
  readonly proxy?: TunnelProxy | undefined
  /** Remotes to skip, unless none would be left. */
  readonly avoid?: readonly Remote[]
}

/**
 * Time limits for each remote, in seconds: for any answer (`server-poll-timeout`), and for the handshake after it
 * (`hand-window`). Together with a single name look-up (`resolv-retry`) they limit an attempt, so that the next remote is
 * tried. There is no `connect-retry-max`: it would also count after a lost connection, and a tunnel that was up should keep
 * reconnecting. tunnel-progress.ts limits the first round instead.
 */
const timeLimits = [
  'server-poll-timeout 10',
  'hand-window 10',
  'resolv-retry 1',
  // After a wake-up the network may take a while: retry at least every 30 s instead of every 300 s.
  'connect-retry 1 30',
]

/**
 * Writes OpenVPN's configuration for a profile (openvpn.md, "The profile is hostile until rebuilt"). None of the profile's
 * text is forwarded: allowed directives are written again, and so is each block, from its decoded bytes.
 *
 * @param profileText the answer to profile_config
 * @param keyPair PEM certificate and private key
 * @throws CausewayError `profile-configuration/malformed`, `…/forbidden-directive`, `…/invalid-argument`, each with
 * `details.line`; `…/incomplete`, `…/no-tcp-remote`; `certificate/invalid` for a key pair that is not PEM
 */
export function buildConfiguration(
  profileText: string,
  keyPair: { readonly certificate: string; readonly privateKey: string },
  options: ConfigurationOptions,
): OpenVpnConfiguration {
  const { directives, blocks, remotes: all } = readProfile(profileText, options.platform)
  if (!blocks.has('ca')) {
    throw incomplete('no-authority')
  }
  if (all.length === 0) {
    throw incomplete('no-remote')
  }
  const needsTcp = options.preferTcp === true || options.proxy !== undefined
  const fitting = needsTcp ? all.filter(({ protocol }) => protocol === 'tcp') : all
  if (fitting.length === 0) {
    throw new CausewayError('profile-configuration/no-tcp-remote')
  }
  const wanted = fitting.filter((remote) => !isAmong(remote, options.avoid ?? []))
  const remotes = wanted.length === 0 ? fitting : wanted
  // The other options must not depend on which remotes are left out.
  const usesTcp = fitting.some(({ protocol }) => protocol === 'tcp')
  const written = remotes.map(writeRemote)

  const lines = [
    'client',
    ...(options.mode === 'full'
      ? // persist-tun: without it a reconnection closes the device, and traffic leaves outside the tunnel.
        ['dev tun', 'persist-tun']
      : ['dev null', 'ifconfig-noexec', 'route-noexec']),
    'nobind',
    'remote-cert-tls server',
    ...timeLimits,
    ...written.filter((each) => !isBlock(each)),
    // Nagle's algorithm and delayed acknowledgements cost 40 ms in a handshake over TCP.
    ...(usesTcp ? ['socket-flags TCP_NODELAY'] : []),
    ...(options.proxy === undefined ? [] : proxyLines(options.proxy)),
    ...directives.filter((directive) => isUsed(directive, options.mode)).map(writeDirective),
    // Behind the directives and the proxy, which are the defaults of a block.
    ...written.filter(isBlock),
    ...[...blocks].map(([name, content]) => writeBlock(name, content)),
    writeBlock('cert', rebuildOwn(rebuildCertificates, keyPair.certificate)),
    // Last, so that a truncated text is not a working configuration.
    writeBlock('key', rebuildOwn(rebuildPrivateKey, keyPair.privateKey)),
  ]
  return {
    text: `${lines.join('\n')}\n`,
    remotes: remotes.map(({ host, port, protocol }) => ({ host, port, protocol })),
  }
}

/** The proxy asks for the kind of login that it wants (`auto`). */
function proxyLines({ host, port, credentials }: TunnelProxy): string[] {
  if (credentials === undefined) return [`http-proxy ${host} ${port}`]
  const { user, password } = credentials
  // OpenVPN reads a line each, at most 127 bytes of it, and takes one that begins as its own end for the end.
  if (![user, password].every((line) => /^(?![<\s])[ -~]{1,127}$/.test(line))) throw unusableProxy(host)
  return [`http-proxy ${host} ${port} auto`, writeBlock('http-proxy-user-pass', `${user}\n${password}`)]
}

function unusableProxy(host: string): CausewayError {
  return new CausewayError('http/unreachable', {
    variant: 'proxy-unusable',
    details: { host, reason: 'proxy', proxy: host },
  })
}

/** Returns false for name servers without a device: on Windows, OpenVPN refuses them together with `ifconfig-noexec`. */
function isUsed({ name }: Directive, mode: ConfigurationOptions['mode']): boolean {
  return mode === 'full' || !['dhcp-option', 'dns'].includes(name)
}

const remoteEntry = /^(?:remote .*|<connection>\n[^<]*<\/connection>)\n/gm

function isBlock(entry: string): boolean {
  return entry.startsWith('<')
}

/** Returns true if a configuration has servers, keys or options that differ from the profile's current ones. */
export function isOutdated(held: OpenVpnConfiguration, all: OpenVpnConfiguration): boolean {
  const withoutRemotes = ({ text }: OpenVpnConfiguration) => text.replace(remoteEntry, '')
  const known = new Set(all.text.match(remoteEntry))
  return (
    withoutRemotes(held) !== withoutRemotes(all) ||
    (held.text.match(remoteEntry) ?? []).some((entry) => !known.has(entry))
  )
}

function rebuildOwn(rebuild: Rebuild, text: string): string {
  const rebuilt = rebuild(text)
  if (rebuilt === undefined) {
    throw new CausewayError('certificate/invalid', { variant: 'key-pair-unreadable' })
  }
  return rebuilt
}

function writeBlock(name: string, content: string): string {
  return `<${name}>\n${content}\n</${name}>`
}

function incomplete(variant: VariantOf<'profile-configuration/incomplete'>): CausewayError {
  return new CausewayError('profile-configuration/incomplete', { variant })
}
