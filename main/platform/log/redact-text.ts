import { isSensitiveAssignment } from './sensitive-names'

const pem = /-----BEGIN [^-\n]{1,64}-----[\s\S]*?(?:-----END [^-\n]{1,64}-----|$)/g
const header = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\*["']?\s*[:=])[^\n]*/gi
const scheme = /\b(bearer|basic|dpop)(\s+)[^\s"',;]{4,}/gi
const userInfo = /\b([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/@]{1,512}@/gi
const query = /\?[^\s"'<>?]*=[^\s"'<>]*/g
const assignment = /([a-z][a-z0-9_-]{0,63})(\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?)([^\s"'\\&,;]+)/gi
const mail = /[^\s@:;,<>"'()[\]{}/?&=]{1,64}@[^\s@:;,<>"'()[\]{}/?&=]{1,255}/g
const macAddress = /(?<![0-9a-f:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![0-9a-f:])/gi
const ipv4 = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g
const colons = /[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f.]*/gi
const longRun = /[A-Za-z0-9+/_=~-]{32,}/g
const longWord = /[A-Za-z0-9]{16,}/g

/**
 * Removes what must not leave this computer: PEM blocks, credentials of requests, query strings, values with secret names,
 * anything that looks like a key or a token, addresses of computers except loopback, e-mail addresses, and the user's name.
 * Removes too much rather than too little.
 */
export function redactText(text: string, userName: string): string {
  return withoutUser(
    text
      .replace(pem, '[key]')
      .replace(header, '$1$2 [secret]')
      .replace(scheme, '$1$2[secret]')
      .replace(userInfo, '$1[secret]@')
      .replace(query, '?[query]')
      .replace(assignment, (whole, name: string, sign: string, value: string) =>
        isSensitiveAssignment(name, value) ? `${name}${sign}[secret]` : whole,
      ),
    userName,
  )
    .replace(mail, (found) => (found.startsWith('[secret]@') ? found : '[e-mail]'))
    .replace(longRun, (run) => (isMixed(run) ? '[secret]' : run))
    .replace(longWord, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? '[secret]' : word))
    .replace(macAddress, '[address]')
    .replace(colons, withoutIpv6)
    .replace(ipv4, (address) => (address.startsWith('127.') ? address : '[address]'))
}

/** Returns true for a run of capitals, small letters and digits; names of ciphers, hosts and files are seldom like that. */
function isMixed(run: string): boolean {
  return /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run)
}

/** Replaces an IPv6 address; times of day have colons too, and full stops around an address belong to the sentence. */
function withoutIpv6(found: string): string {
  if (!found.includes('::') && found.split(':').length < 6) return found
  const [, before = '', address = '', after = ''] = /^(\.*)(.*?)(\.*)$/.exec(found) ?? []
  return address === '::1' ? found : `${before}[address]${after}`
}

function withoutUser(text: string, userName: string): string {
  if (userName.length < 2 || userName === 'root') return text
  const escaped = userName.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu'), '[user]')
}
