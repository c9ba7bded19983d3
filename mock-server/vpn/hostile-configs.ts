/** A directive that clients must never obey, or a trick that hides one from a careless parser. */
interface Trick {
  name: string
  /** Adds the trick to a configuration with CRLF. */
  into(config: string): string
}

/** Harmless values that are easy to find: the program does nothing, the files don't exist. */
const program = '/usr/bin/false'
const file = '/tmp/causeway-mock/written-by-a-hostile-profile'

const appended = (name: string, ...lines: string[]): Trick => ({
  name,
  into: (config) => [config, ...lines].join('\r\n'),
})

const scripts = ['up', 'down', 'route-up', 'route-pre-down', 'ipchange', 'tls-verify', 'client-connect']
const loaders = ['plugin', 'providers', 'pkcs11-providers']
const writers = [
  'log',
  'log-append',
  'status',
  'replay-persist',
  'writepid',
  'tls-export-cert',
  'cd',
  'chroot',
]
const readers = ['config', 'auth-user-pass', 'askpass', 'pkcs12', 'extra-certs', 'crl-verify']

/** Ends the block of the certificate authority early with this line, followed by a directive. */
const insideCa = (name: string, end: string): Trick => ({
  name,
  into: (config) => config.replace('</ca>', `${end}\r\nup ${program}\r\n</ca>`),
})

/**
 * Contents of hostile profiles: every directive that runs, loads, writes or reads something, and evasions of filters
 * that worked on a real OpenVPN. Their names are valid in a profile_id.
 */
export const tricks: readonly Trick[] = [
  ...scripts.map((directive) =>
    appended(directive, 'script-security 2', `${directive} ${program}`, 'up-restart'),
  ),
  ...loaders.map((directive) => appended(directive, `${directive} ${file}.so`)),
  ...writers.map((directive) => appended(directive, `${directive} ${file}`)),
  ...readers.map((directive) => appended(directive, `${directive} /etc/passwd`)),
  ...['ca', 'cert', 'key'].map((directive) => appended(`${directive}-file`, `${directive} /etc/passwd`)),
  appended('genkey', `genkey secret ${file}`),
  appended('management', `management ${file} unix`),
  appended('setenv-preload', `setenv LD_PRELOAD ${file}.so`),
  appended('setenv-opt', 'setenv opt script-security 2', `setenv opt up ${program}`),
  appended('dashes', '--script-security 2', `--up ${program}`),
  appended('quotes', '"script-security" 2', `"up" ${program}`),
  appended('quotes-without-space', 'script-security 2', `"up""${program}"`),
  appended('backslash', 'script-security 2', `u\\p ${program}`),
  appended('tabs', 'script-security\t2', `\t up\t${program}`),
  appended('in-connection', '<connection>', `up ${program}`, 'remote 127.0.0.1 9 udp', '</connection>'),
  appended('bare-line-end', `verb 3\rup ${program}`, `verb 3\nup ${program}`),
  appended('null-byte', `verb 3\0\r\nup ${program}`),
  appended('tap-device', 'dev tap'),
  appended('own-device', 'dev-node /dev/null', 'dev-type tap'),
  appended('http-proxy', 'http-proxy 127.0.0.1 9', 'socks-proxy 127.0.0.1 9'),
  appended('no-verification', 'remote-cert-tls client', 'verify-client-cert none'),
  appended('unknown-directive', 'ignore-unknown-option up', 'take-over everything'),
  appended('long-line', `setenv opt ${'a'.repeat(100_000)}`),
  appended('unclosed-block', '<ca>', '-----BEGIN CERTIFICATE-----'),
  insideCa('block-ended-with-junk', '  </ca>junk'),
  insideCa('block-ended-in-long-line', `${'A'.repeat(255)}</ca>`),
  { name: 'byte-order-mark', into: (config) => `\uFEFFup ${program}\r\n${config}` },
  {
    name: 'truncated-authority',
    into: (config) => config.replace(/(<ca>\r\n.{40})[^]*?(<\/ca>)/, '$1\r\n$2'),
  },
]

/** Returns the configuration with this trick, or with all of them if the name is unknown. */
export function hostileConfig(config: string, name: string): string {
  const trick = tricks.find((known) => known.name === name)
  return trick === undefined
    ? tricks.reduce((changed, each) => each.into(changed), config)
    : trick.into(config)
}
