import {
  type Handling,
  forbidden,
  handlingOf,
  invalidArgument,
  isAllowedInConnection,
  isKnown,
  requireInlineAllowed,
  writeDirective,
} from './allowed-directives'
import {
  type ConfigurationItem,
  type Directive,
  type InlineBlock,
  tokenizeConfiguration,
} from './configuration-tokenizer'
import { type Rebuild, rebuildCertificates, rebuildClientKeyV2, rebuildStaticKey } from './pem'
import { type ConfiguredRemote, maxRemotes, readConnectionRemote, readRemotes } from './remotes'

/** The parts of a profile that Causeway writes again. */
interface Profile {
  /** The kept directives outside `<connection>` blocks, in order. */
  readonly directives: readonly Directive[]
  /** The kept blocks, rebuilt. */
  readonly blocks: ReadonlyMap<string, string>
  readonly remotes: readonly ConfiguredRemote[]
}

/** The blocks that are taken from a profile; its `cert` and `key`, if any, are replaced by the user's own. */
const profileBlocks: Readonly<Record<string, Rebuild>> = {
  ca: rebuildCertificates,
  'tls-crypt': rebuildStaticKey,
  'tls-auth': rebuildStaticKey,
  'tls-crypt-v2': rebuildClientKeyV2,
}

/**
 * Reads a profile as OpenVPN does: directives that it was told to ignore, markers such as `ca [inline]`, and `<connection>`
 * blocks, whose options apply to one remote.
 *
 * @throws CausewayError `profile-configuration/malformed`, `…/forbidden-directive`, `…/invalid-argument`, each with
 * `details.line`
 */
export function readProfile(text: string, platform: NodeJS.Platform): Profile {
  const blocks = new Map<string, string>()
  const markers: Directive[] = []
  /** Everything outside blocks. */
  const directives: Directive[] = []
  const accepted: Directive[] = []
  const connections: ConfiguredRemote[] = []
  /** Options of one remote that follow a block: OpenVPN applies them to the blocks behind them alone. */
  const late: Directive[] = []
  const inline: InlineBlock[] = []

  for (const item of withoutIgnored(tokenizeConfiguration(text))) {
    if (item.kind === 'block') {
      if (item.name === 'connection') {
        connections.push(readConnection(item, { before: directives, late, platform }))
        if (connections.length > maxRemotes) throw invalidArgument('connection', item.line, 'too-many')
      } else {
        requireInlineAllowed(item.name, item.line)
        inline.push(item)
      }
      continue
    }
    if (isMarker(item)) markers.push(item)
    const directive = isMarker(item) ? directionOf(item) : item
    if (directive === undefined) continue
    if (isNoAuthentication(directive)) {
      directives.push(directive)
      continue
    }
    const handling = handlingOf(directive)
    directives.push(directive)
    if (isWritten(handling, platform)) {
      const isLate = connections.length > 0 && isAllowedInConnection(directive.name)
      ;(isLate ? late : accepted).push(directive)
    }
  }

  // After all names, because a forbidden directive says more about a profile than an unreadable certificate.
  for (const each of inline) readBlock(each, blocks)
  const external = markers.find(({ name }) => Object.hasOwn(profileBlocks, name) && !blocks.has(name))
  if (external !== undefined) throw invalidArgument(external.name, external.line, 'not-inline')
  const remotes = connections.length === 0 ? readRemotes(directives) : connections
  requireFragmentsOverUdp(remotes, accepted)
  requireAuthentication(directives, blocks)
  return { directives: withCipher(accepted, directives), blocks, remotes }
}

function isWritten(handling: Handling, platform: NodeJS.Platform): boolean {
  return (
    handling === 'keep' ||
    (handling === 'keepOnLinux' && platform === 'linux') ||
    (handling === 'keepOnWindows' && platform === 'win32')
  )
}

/**
 * Leaves out what `ignore-unknown-option`, `setenv opt` and `setenv FORWARD_COMPATIBLE 1` make harmless: from there on, and
 * only what OpenVPN doesn't know.
 */
function withoutIgnored(items: readonly ConfigurationItem[]): ConfigurationItem[] {
  const ignored = new Set<string>()
  let ignoresAll = false
  return items.flatMap((item): ConfigurationItem[] => {
    const meaning = item.kind === 'block' ? item : meaningOf(item)
    const { name } = meaning
    const words = meaning.kind === 'block' ? [] : meaning.arguments
    if (name === 'ignore-unknown-option') for (const each of words) ignored.add(each.replace(/^--/, ''))
    ignoresAll ||= name === 'setenv' && words.join(' ') === 'FORWARD_COMPATIBLE 1'
    const isOptional = item.kind === 'directive' && item.name === 'setenv' && meaning !== item
    const isIgnored = !isKnown(name) && (isOptional || ignoresAll || ignored.has(name))
    return isIgnored || isEnvironment(meaning) ? [] : [meaning]
  })
}

/** Returns the directive that some names of `setenv` stand for. */
function meaningOf(directive: Directive): Directive {
  const [first, second, ...rest] = directive.name === 'setenv' ? directive.arguments : []
  if (first === 'opt' && second !== undefined) {
    return { ...directive, name: second, arguments: rest }
  }
  if (second === undefined && first === 'PUSH_PEER_INFO') {
    return { ...directive, name: 'push-peer-info', arguments: [] }
  }
  if (second === undefined && first === 'REMOTE_RANDOM_HOSTNAME') {
    return { ...directive, name: 'remote-random-hostname', arguments: [] }
  }
  return directive
}

/** Variables for scripts, which OpenVPN doesn't run here. It tells the server those named `UV_…`. */
function isEnvironment(item: ConfigurationItem): boolean {
  if (item.kind === 'block' || item.name !== 'setenv') return false
  const [name = ''] = item.arguments
  return !['', 'opt', 'GENERIC_CONFIG'].includes(name) && !name.startsWith('UV_')
}

/** True for `ca [inline]` and its like, which announce a block. */
function isMarker({ name, arguments: [first, ...rest] }: Directive): boolean {
  const isDirection = name === 'tls-auth' && rest.length === 1 && ['0', '1'].includes(rest[0] ?? '')
  return isInline(name) && first === '[inline]' && (rest.length === 0 || isDirection)
}

function isInline(name: string): boolean {
  return Object.hasOwn(profileBlocks, name) || name === 'cert' || name === 'key'
}

/** Returns the directive for `tls-auth [inline] 1`. */
function directionOf({ arguments: [, direction], ...marker }: Directive): Directive | undefined {
  return direction === undefined ? undefined : { ...marker, name: 'key-direction', arguments: [direction] }
}

function readBlock({ name, content, line }: InlineBlock, blocks: Map<string, string>): void {
  const rebuild = profileBlocks[name]
  if (rebuild === undefined) {
    return
  }
  const rebuilt = rebuild(content.join('\n'))
  if (rebuilt === undefined) {
    throw invalidArgument(name, line, 'data')
  }
  if (blocks.has(name)) {
    throw invalidArgument(name, line, 'twice')
  }
  blocks.set(name, rebuilt)
}

function readConnection(
  { content, line }: InlineBlock,
  {
    before,
    late,
    platform,
  }: {
    readonly before: readonly Directive[]
    readonly late: readonly Directive[]
    readonly platform: NodeJS.Platform
  },
): ConfiguredRemote {
  const own = tokenizeConfiguration(content.join('\n'), line + 1).map((item): Directive => {
    if (item.kind === 'block' || !isAllowedInConnection(item.name)) throw forbidden(item.name, item.line)
    return item
  })
  const written = own.filter((directive) => isWritten(handlingOf(directive), platform))
  return { ...readConnectionRemote(own, before, line), options: [...late, ...written].map(writeDirective) }
}

/** `fragment` puts a header into each packet, and OpenVPN has it only over UDP: leaving it out for TCP would not help UDP. */
function requireFragmentsOverUdp(remotes: readonly ConfiguredRemote[], kept: readonly Directive[]): void {
  const forAll = kept.map(writeDirective)
  const isWrong = remotes.some(({ protocol, options = [] }) => {
    const last = [...forAll, ...options].findLast((each) => each.startsWith('fragment ')) ?? 'fragment 0'
    return protocol === 'tcp' && !/ 0+$/.test(last)
  })
  if (isWrong)
    throw invalidArgument('fragment', kept.find(({ name }) => name === 'fragment')?.line ?? 1, 'udp-only')
}

function isNoAuthentication({ name, arguments: words }: Directive): boolean {
  return name === 'auth' && words.join(' ') === 'none'
}

/**
 * Refuses `auth none`, which is left out, unless every cipher of the profile authenticates packets itself. `tls-auth` would
 * need the digest.
 */
function requireAuthentication(directives: readonly Directive[], blocks: ReadonlyMap<string, string>): void {
  const none = directives.find(isNoAuthentication)
  if (none === undefined) return
  const ciphers = directives
    .filter(({ name }) => ['cipher', 'data-ciphers', 'ncp-ciphers', 'data-ciphers-fallback'].includes(name))
    .flatMap(({ arguments: [list = ''] }) => list.split(':'))
  const isHarmless =
    ciphers.length > 0 && ciphers.every((cipher) => /^\??(.+-GCM|CHACHA20-POLY1305|DEFAULT)$/i.test(cipher))
  if (!isHarmless || blocks.has('tls-auth')) throw invalidArgument(none.name, none.line, 'arguments')
}

/**
 * Writes what `ncp-disable` means, which only OpenVPN 2.5 knows: the one cipher of the profile. `keysize` may only say the
 * size that the cipher has anyway.
 */
function withCipher(kept: readonly Directive[], all: readonly Directive[]): readonly Directive[] {
  const cipher = kept.findLast(({ name }) => name === 'cipher' || name === 'data-ciphers-fallback')
    ?.arguments[0]
  const last = (wanted: string) => all.findLast(({ name }) => name === wanted)
  const size = last('keysize')
  if (size !== undefined && cipher?.includes(`-${size.arguments[0] ?? ''}-`) !== true) {
    throw invalidArgument(size.name, size.line, 'arguments')
  }
  const disabled = last('ncp-disable')
  if (disabled === undefined) return kept
  if (cipher === undefined) throw forbidden(disabled.name, disabled.line)
  const { kind, line } = disabled
  return [
    ...kept.filter(({ name }) => !['data-ciphers', 'ncp-ciphers'].includes(name)),
    ...['data-ciphers', 'data-ciphers-fallback'].map((name) => ({ kind, name, line, arguments: [cipher] })),
  ]
}
