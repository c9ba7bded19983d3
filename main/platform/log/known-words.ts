import { constants } from 'node:os'
import errors from '../../../contract/locales/en/errors.json'

/**
 * Words of OpenVPN's log at verb 3, of the helper, of Node's error codes, of our states, and of the paths of portals, beside
 * those of the error texts.
 */
const more = `
  abort aborted aborterror accepted acknowledgement actual ad adapter adapters adding addr addrinfo aead
  af agent alert algorithm allocate alone also altname always anchor append application applied arm asn
  attempt attempted attempting auth authenticate authenticated authenticating authorize authorizing
  authors bad based basic beginning best between bf big bin bind bits body bound bring buffer buffers
  bypass bypassed bytes ca cache call caller calls camellia capabilities case categories caused cbc cc
  cert certs cfb chacha challenge channel character checksum ciphers ciphersuites ciphertext clear clients closing
  club cmd cn comments compatible compiled completed completion compress conf config configuring
  connectivity console contacting context control counters createfile crl crypt crypto ctrl ctx current
  currently curve curves darwin dco decrypt decryption defect defects deferred deprecated depth des
  descriptors dest detected dh dhcp dhe dial did differs digest dir disable disables disabling disc discover
  discovering dl dll does domains downgrade download drop dropping dscacheutil dss dst due dyn dynamic
  dynamically eai ec ecdh ecdhe ecdsa education ee ekm eku enable enabled encrypt endpoint endpoints
  endtag engine entry epoll err established etc eth event evp exceeded exchange existing exit exited
  exiting expects expire explicit extra fail failure fallback family fast fd feature filter fips flags
  float footer forbid forget format fragment frames functionality gateway generate generated generic getaddrinfo
  getent gid gnu groups guard gw had halt handling handshake hard hardware hash header headers hex hmac hold home
  hostname hwaddr idle ids iface ifconfig ifindex ignoring illegal immutable import impossible inactivity
  incoming incompatible incorrect indicates inet info init initial initialization initialized initiated
  inline inner inside installing insufficient interface interrupted ioctl ip item jan journal journals
  keep keying keypair killed known ku lan layer ld leaf leave legacy len length level lib likely limit
  limited limits lines linux lists load local lock logout logs lz lzo main man mark marker marks mask material
  max maximum md memory message method metric mh min misprints mock mode modified mssfix mtu much multi
  mute namesake ncp negotiate negotiated negotiation netlink netmask netstat networkmanager next nft
  nobind node nrpt nodelay non nonce note notice notification notify nscerttype ntlm null obtain ofb office
  offline offload ok opcode openssl operation opt options orgs outcome outgoing output overflow override
  ovpn packet packets pages parameter parse passed passing patch pause pc peer peers pending performing
  period permit persist persistent pfctl pin ping pipe pkcs pktinfo plaintext please poll pool port post
  posts pre preparing present preserving previously prf prime privileges problems proc profiles promoted
  proto protocols provided ps psk pull pulled push pushed queue range rate rcvbuf realm received recently
  records recursive recv reinit reject related released reliable removing renamed reneg renegotiation repair
  replay reply require reserve resolution resolv resolvconf resolve resolvectl resolving resource
  restarting restricted result retried retrieve retrieving retry returned routed routes routines routing
  row rsa rule sbin score script scutil sec second secrets security seed select selection self sending
  sequence serial sess sessions setsockopt setup short shutdown sid sighup sigint signal sigterm sigusr
  since sitnl size small sndbuf socket soft sources src ssl stale starting stat state static stdin stop
  stopping str stream stub subject subnet subscribe succeeded suitable swap sync table tap tcpv temporary
  text thumbnail timeout timeouts timer timers tlsv tm tmp tokens topology transport treating triggered
  truncated trusted tunsetiff tuntap tweets two tx txqueuelen type typically udpv uid unbound uncaught
  und undef understood undici undo unrecognized unresolved unroutable unwrap unwrapping updown upgrade
  uploads usable username userspace usr utun validating values var variant verb verification verify via
  want warning watch watcher well wg will win wintun within workaround wrapped wrapping x zero
`

const token = /[^\s()[\]{}'"=,;<>|]+/g
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/
/** IPv4 addresses have a part more. */
const version = /^\d{1,3}\.\d{1,3}(?:\.\d{1,5})?(?!\d|\.\d)/
/** Ports, sizes and numbers of errors; keys and one-time codes are longer. */
const number = /^\d{1,5}$/

let vocabulary: ReadonlySet<string> | undefined

/**
 * Reduces any text to the words that stand in Causeway's own files, short numbers, versions and times. Everything else
 * becomes `…`: no token or key can be in what is left, however it is written, and of a password at most such words.
 */
export function knownWords(text: string): string {
  return text.replace(token, redact)
}

function redact(found: string): string {
  if (time.test(found)) return found
  const [start = ''] = version.exec(found) ?? []
  const parts = found.slice(start.length).split(/([:/]+)/)
  const withNumbers = parts.filter((part) => /[^:/]/.test(part)).length === 1 || parts.some(isText)
  const all = parts.map((part) =>
    /^[:/]{0,2}$/.test(part) || isText(part) || (withNumbers && number.test(part)) ? part : '…',
  )
  return `${start}${all.join('')}`.replace(/…(?:[:/]*…)+/g, '…')
}

/** Returns true for known words with single separators, and numbers among them, such as `AES-256-GCM`. */
function isText(part: string): boolean {
  if (isKnown(part)) return true
  const words = part.split(/[-_.+@#]{1,2}/).filter((word) => word !== '')
  // An address of a computer has numbers between full stops.
  const isPart = (word: string) => isKnown(word) || (/^\d{1,3}$/.test(word) && !part.includes('.'))
  return words.some(isKnown) && words.every(isPart)
}

/** Returns true for a word, and for one with a number, such as `tun0` or `TLSv1.3`. */
function isKnown(part: string): boolean {
  vocabulary ??= new Set(
    [JSON.stringify(errors), more, ...Object.keys(constants.errno)].flatMap(
      (text) => text.toLowerCase().match(/[a-z]+(?:\d+[a-z]+)*/g) ?? [],
    ),
  )
  const word = part.toLowerCase()
  return vocabulary.has(word) || vocabulary.has(word.replace(/\d{1,3}(?:\.\d)?$/, ''))
}
