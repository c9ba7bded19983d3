import { describe, expect, it } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { buildConfiguration, type ConfigurationOptions, isOutdated } from './configuration'
import { inline, newStaticKey } from './loopback-server.testing'
import { portalProfile } from './profile.testing'

const authority = createTestAuthority()
const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
const otherKeyPair = authority.issue({ commonName: 'other', usage: 'clientAuth' })
const ca = authority.certificate
const tlsCrypt = newStaticKey()
const linux: ConfigurationOptions = { platform: 'linux', mode: 'full' }

const profile = (...extra: string[]) => portalProfile({ ca, remotes: ['vpn.example.org 1194 udp'], extra })
const build = (text: string, options: Partial<ConfigurationOptions> = {}) =>
  buildConfiguration(text, keyPair, { ...linux, ...options })
/** Returns the lines outside blocks. */
const directives = (text: string) =>
  text
    .replace(/^<([a-z0-9-]+)>\n[^<]*<\/\1>\n/gm, '')
    .trimEnd()
    .split('\n')
const withCode = (code: string, details?: object) =>
  expect.objectContaining({ code, ...(details && { details }) }) as Error

describe('the configuration for OpenVPN', () => {
  it("is written again from the portal's text", () => {
    const { text, remotes } = build(
      portalProfile({ ca, tlsCrypt, remotes: ['vpn.example.org 1194 udp', 'vpn.example.org 443 tcp'] }),
    )

    expect(remotes).toEqual([
      { host: 'vpn.example.org', port: 1194, protocol: 'udp' },
      { host: 'vpn.example.org', port: 443, protocol: 'tcp' },
    ])
    expect(directives(text)).toEqual([
      'client',
      'dev tun',
      'persist-tun',
      'nobind',
      'remote-cert-tls server',
      'server-poll-timeout 10',
      'hand-window 10',
      'resolv-retry 1',
      'connect-retry 1 30',
      'remote vpn.example.org 1194 udp',
      'remote vpn.example.org 443 tcp',
      'socket-flags TCP_NODELAY',
      'ncp-ciphers AES-256-GCM',
      'cipher AES-256-GCM',
      'reneg-sec 0',
      'tls-version-min 1.2',
    ])
    expect([...text.matchAll(/^<([a-z0-9-]+)>$/gm)].map(([, name]) => name)).toEqual([
      'ca',
      'tls-crypt',
      'cert',
      'key',
    ])
    expect(text).toContain(keyPair.privateKey.trim())
    expect(text).not.toContain('\r')
  })

  it('has no device and no routes for a handshake only', () => {
    const lines = directives(build(profile('redirect-gateway def1'), { mode: 'handshake-only' }).text)
    expect(lines).toEqual(expect.arrayContaining(['dev null', 'ifconfig-noexec', 'route-noexec']))
    expect(lines).not.toContain('dev tun')
  })

  it("contains the user's certificate and key instead of the profile's", () => {
    const brought = [inline('cert', otherKeyPair.certificate), inline('key', otherKeyPair.privateKey)]
    const { text } = build(profile(...brought))
    expect(text).toContain(keyPair.certificate.replace(/\r/g, '').trim())
    expect(text).not.toContain(otherKeyPair.privateKey.split('\n')[1])
    expect(text.match(/^<(cert|key)>$/gm)).toEqual(['<cert>', '<key>'])
  })

  it('leaves out directives that OpenVPN would reject, or that only Windows supports', () => {
    const text = profile('block-outside-dns', 'register-dns', 'setenv A b', 'user nobody', 'group nogroup')
    expect(build(text).text).not.toMatch(/^(block|register|setenv|user|group)/m)
    expect(build(text, { platform: 'win32' }).text).toContain('\nblock-outside-dns\n')
  })

  it.each(['win32', 'darwin'] as const)('leaves out on %s what ends OpenVPN there', (platform) => {
    expect(build(profile('mtu-disc yes'), { platform }).text).not.toContain('mtu-disc')
    expect(build(profile('mtu-disc yes')).text).toContain('\nmtu-disc yes\n')
  })

  it('has no name servers without a device, which OpenVPN refuses on Windows', () => {
    const text = profile('dhcp-option DNS 10.0.0.1', 'dns server 1 address 10.0.0.1')
    expect(build(text, { mode: 'handshake-only' }).text).not.toMatch(/^(dhcp-option|dns)/m)
    expect(build(text).text).toMatch(/^dhcp-option DNS 10\.0\.0\.1$/m)
  })

  it("has Causeway's time limits instead of the profile's", () => {
    const lines = directives(
      build(profile('hand-window 9999', 'connect-retry-max 1', 'resolv-retry infinite')).text,
    )
    expect(lines.filter((line) => /hand-window|retry/.test(line))).toEqual([
      'hand-window 10',
      'resolv-retry 1',
      'connect-retry 1 30',
    ])
  })
})

describe('remotes', () => {
  const remotesOf = (lines: string[], options: Partial<ConfigurationOptions> = {}) =>
    build([...lines, inline('ca', ca)].join('\n'), options)

  it('use port and protocol of separate directives, of which the last one counts', () => {
    const { text } = remotesOf([
      'remote a.example',
      'proto tcp4',
      'port 1',
      'port 443',
      'remote 2001:db8::1 53 udp6',
    ])
    expect(directives(text).filter((line) => line.startsWith('remote '))).toEqual([
      'remote a.example 443 tcp4',
      'remote 2001:db8::1 53 udp6',
    ])
  })

  it("use OpenVPN's defaults, and contain no duplicates", () => {
    expect(
      remotesOf(['remote a.example', 'remote a.example 1194', 'remote a.example 1194 udp']).remotes,
    ).toEqual([{ host: 'a.example', port: 1194, protocol: 'udp' }])
  })

  it('contain only TCP if preferred', () => {
    const lines = ['remote a.example 1194 udp', 'remote a.example 443 tcp-client']
    expect(remotesOf(lines, { preferTcp: true }).remotes).toEqual([
      { host: 'a.example', port: 443, protocol: 'tcp' },
    ])
    expect(() => remotesOf(['remote a.example'], { preferTcp: true })).toThrow(
      withCode('profile-configuration/no-tcp-remote'),
    )
  })

  it.each([
    'remote a.example 0',
    'remote a.example 65536',
    'remote a.example 1194 tcp-server',
    'remote a.example 1194 udp x',
    'remote -a.example',
    'remote a..example',
    'remote 1.2.3',
    'remote 1.2.3.256',
    'remote ::g',
    `remote ${'a'.repeat(64)}.example`,
    'remote "a b"',
    'remote',
    'remote a.example/../b',
    'remote ä.example',
  ])('are rejected if invalid: %s', (line) => {
    expect(() => remotesOf([line])).toThrow(
      withCode('profile-configuration/invalid-argument', { directive: 'remote', line: 1 }),
    )
  })

  it('are limited in number', () => {
    const many = Array.from({ length: 65 }, (_, index) => `remote a.example ${index + 1}`)
    expect(() => remotesOf(many)).toThrow(withCode('profile-configuration/invalid-argument'))
  })
})

describe('connection blocks', () => {
  const connection = (...lines: string[]) => ['<connection>', ...lines, '</connection>']
  const blocksOf = (lines: readonly string[], options: Partial<ConfigurationOptions> = {}) => {
    const { text } = build([...lines, inline('ca', ca)].join('\n'), options)
    return (text.match(/^<connection>\n[^<]*<\/connection>$/gm) ?? []).map((each) =>
      each.split('\n').slice(1, -1),
    )
  }
  const udp = connection('remote a.example 1194 udp', 'fragment 1300', 'explicit-exit-notify 2')
  const tcp = connection('nobind', 'remote b.example 443', 'proto tcp', 'connect-timeout 3')

  it('become one remote each, with its own options', () => {
    expect(blocksOf([...udp, ...tcp])).toEqual([
      ['remote a.example 1194 udp', 'fragment 1300', 'explicit-exit-notify 2'],
      ['remote b.example 443 tcp'],
    ])
  })

  it('use the defaults before them, of which the last one counts', () => {
    const lines = [
      'proto tcp6',
      'port 1',
      ...connection('remote a.example'),
      'port 2',
      ...connection('remote b.example 5', 'rport 3'),
      'proto udp',
      ...connection('proto tcp4', 'remote c.example 4 udp'),
    ]
    expect(blocksOf(lines)).toEqual([
      ['remote a.example 1 tcp6'],
      ['remote b.example 3 tcp6'],
      ['remote c.example 4 udp'],
    ])
  })

  it('ignore the options behind them, like OpenVPN', () => {
    const lines = [
      'mssfix 1300',
      ...connection('remote a.example'),
      'fragment 1200',
      'key-direction 1',
      ...connection('remote b.example'),
    ]
    expect(blocksOf(lines)).toEqual([
      ['remote a.example 1194 udp'],
      ['remote b.example 1194 udp', 'fragment 1200'],
    ])
    const { text } = build([...lines, inline('ca', ca)].join('\n'))
    const outside = text.replace(/<connection>[^<]*<\/connection>/g, '')
    expect(outside).toContain('\nmssfix 1300\n')
    expect(outside).toContain('\nkey-direction 1\n')
    expect(outside).not.toContain('fragment')
    expect(text.indexOf('mssfix')).toBeLessThan(text.indexOf('<connection>'))
  })

  it('count instead of remotes outside them, like with OpenVPN', () => {
    expect(build([...tcp, 'remote c.example', inline('ca', ca)].join('\n')).remotes).toEqual([
      { host: 'b.example', port: 443, protocol: 'tcp' },
    ])
  })

  it('are chosen like other remotes', () => {
    const lines = [...udp, ...tcp]
    expect(blocksOf(lines, { preferTcp: true })).toEqual([['remote b.example 443 tcp']])
    const avoid = [{ host: 'a.example', port: 1194, protocol: 'udp' }] as const
    const all = build([...lines, inline('ca', ca)].join('\n'))
    const held = build([...lines, inline('ca', ca)].join('\n'), { avoid })
    expect(isOutdated(held, all)).toBe(false)
    const changed = build([...lines, inline('ca', ca)].join('\n').replace('fragment 1300', 'fragment 1400'))
    expect(isOutdated(held, changed)).toBe(false)
    expect(isOutdated(all, changed)).toBe(true)
  })

  it.each([
    ['up', connection('remote a.example', 'up /x'), 3],
    ['ping', connection('remote a.example', 'ping 1'), 3],
    ['tls-auth', connection('remote a.example', '<tls-auth>', '</tls-auth>'), 3],
    ['mssfix', connection('remote a.example', 'mssfix x'), 3],
    ['connection', connection('float'), 1],
    ['connection', Array.from({ length: 65 }, () => connection('remote a.example')).flat(), 193],
    ['fragment', connection('remote a.example 1 tcp', 'fragment 1300'), 1],
    ['remote', connection('remote -x'), 2],
  ])('are rejected with the line of "%s"', (directive, lines, line) => {
    expect(() => blocksOf(lines)).toThrow(expect.objectContaining({ details: { directive, line } }) as Error)
  })
})

describe('an incomplete profile', () => {
  it.each([
    ['no remote', inline('ca', ca)],
    ['no authority', 'remote a.example'],
    ['nothing', ''],
  ])('is rejected: %s', (_, text) => {
    expect(() => build(text)).toThrow(withCode('profile-configuration/incomplete'))
  })
})

describe('a directive that is not on the allow-list', () => {
  it.each([
    'plugin /x.so',
    'up /bin/sh',
    '--up /bin/sh',
    '"up" /bin/sh',
    "'up' /bin/sh",
    '"up""/bin/sh"',
    '\\ up /bin/sh',
    'down /x',
    'route-up /x',
    'route-pre-down /x',
    'ipchange /x',
    'tls-verify /x',
    'tls-crypt-v2-verify /x',
    'client-connect /x',
    'client-disconnect /x',
    'learn-address /x',
    'auth-user-pass-verify /x via-env',
    'script-security 2',
    'log /etc/passwd',
    'log-append /x',
    'status /x',
    'status-version 2',
    'replay-persist /x',
    'genkey secret /x',
    'writepid /x',
    'management 127.0.0.1 7505',
    'management /x unix',
    'config /etc/passwd',
    'auth-user-pass /etc/shadow',
    'auth-user-pass',
    'askpass /x',
    'pkcs11-providers /x.so',
    'pkcs11-id x',
    'pkcs12 /x',
    'providers /x.so',
    'engine x',
    'crl-verify /x',
    'extra-certs /x',
    'secret /x',
    'dh /x',
    'capath /x',
    'tmp-dir /x',
    'chroot /x',
    'cd /x',
    'daemon',
    'syslog',
    'inetd',
    'iproute /x',
    'ifconfig 1.2.3.4 5.6.7.8',
    'ifconfig-noexec',
    'route-noexec',
    'route-nopull',
    'dev-node /x',
    'lladdr 0:0:0:0:0:0',
    'http-proxy a 1',
    'socks-proxy a 1',
    'pull-filter accept verb',
    'setenv-safe a b',
    'echo x',
    'parameter x',
    'x509-track x',
    'mode server',
    'tls-server',
    'server 10.0.0.0 255.0.0.0',
    'push "up /x"',
    'local 1.2.3.4',
    'bind',
    'mark 1',
    'bind-dev eth0',
    'allow-compression yes',
    'compress lz4',
    'comp-lzo',
    'setenv opt up /x',
    'setenv REMOTE_RANDOM_HOSTNAME',
    'static-challenge x 1',
    'remote-random-hostname',
    'Dev tun',
    'dev\u00a0tun',
    'constructor',
    '__proto__ x',
  ])('is rejected by name: %s', (line) => {
    expect(() => build(profile(line))).toThrow(withCode('profile-configuration/forbidden-directive'))
  })

  it.each(['up', 'auth-user-pass', 'pkcs12', 'dh', 'secret', 'crl-verify', 'setenv', 'remote'])(
    'is also rejected as a block: %s',
    (name) => {
      expect(() => build(profile(`<${name}>`, 'up /x', `</${name}>`))).toThrow(
        withCode('profile-configuration/forbidden-directive', {
          directive: name,
          line: expect.any(Number) as number,
        }),
      )
    },
  )

  it('is reported with its line, shortened and printable', () => {
    expect(() => build(`client\n"${'\u202e'.repeat(10)}${'x'.repeat(100)}" y`)).toThrow(
      withCode('profile-configuration/forbidden-directive', {
        directive: `${'?'.repeat(10)}${'x'.repeat(30)}`,
        line: 2,
      }),
    )
  })
})

describe('invalid arguments', () => {
  it.each([
    'dev tap',
    'dev null',
    'dev tun /x',
    'dev-type tap',
    'remote-cert-tls client',
    'lport 1',
    'ca /etc/passwd',
    'cert /x',
    'key /x',
    'tls-auth /x 1',
    'tls-crypt /x',
    'tls-crypt-v2 /x',
    'cipher none',
    'cipher "AES-256-GCM" up',
    'cipher "AES-256-GCM up"',
    'data-ciphers "AES-256-GCM\\" up"',
    'tls-version-min "1.2 or-highest"',
    'tls-version-min ""',
    'tls-cipher "#x"',
    'verify-x509-name `x`',
    'verify-x509-name $(x)',
    'redirect-gateway /x',
    'route evil.example',
    'route 10.0.0.0 255.0.0.0 evil.example',
    'dhcp-option PROXY_AUTO_CONFIG_URL http://x',
    'dhcp-option DNS $(x)',
    'dns server 0 address $(x)',
    'socket-flags OTHER',
    'float x',
    'keepalive 10',
    'keepalive -1 10',
    'reneg-sec 1e9',
    'ping "1\\\\"',
  ])('are rejected: %s', (line) => {
    expect(() => build(profile(line))).toThrow(withCode('profile-configuration/invalid-argument'))
  })
})

describe('directives that OpenVPN may ignore', () => {
  const lastOf = (...lines: string[]) => directives(build(profile(...lines)).text).at(-1)

  it.each([
    ['ignore-unknown-option x --y', 'x 1', 'y', '"x" \'2\''],
    ['setenv opt x 1'],
    ['setenv FORWARD_COMPATIBLE 1', 'x'],
    ['ignore-unknown-option x', '<x>', 'up /x', '</x>'],
    ['setenv opt block-outside-dns'],
  ])('are left out: %s', (...lines) => {
    expect(lastOf(...lines)).toBe('tls-version-min 1.2')
  })

  it('are what they say if OpenVPN knows them', () => {
    expect(lastOf('setenv opt compress stub-v2')).toBe('compress stub-v2')
    expect(lastOf('ignore-unknown-option compress', 'compress')).toBe('compress')
    expect(lastOf('setenv PUSH_PEER_INFO')).toBe('push-peer-info')
    expect(lastOf('setenv UV_A "b \\"c\\""')).toBe('setenv UV_A "b \\"c\\""')
  })

  it.each([
    ['up', 'setenv opt up /x'],
    ['up', 'ignore-unknown-option up', 'up /x'],
    ['plugin', 'setenv FORWARD_COMPATIBLE 1', 'plugin /x'],
    ['crl-verify', 'ignore-unknown-option crl-verify', '<crl-verify>', '</crl-verify>'],
    ['x', 'x', 'ignore-unknown-option x'],
    ['x', 'setenv FORWARD_COMPATIBLE 0', 'x'],
    ['opt', 'setenv opt opt', 'opt'],
    ['setenv', 'setenv opt'],
    ['setenv', 'setenv GENERIC_CONFIG 1'],
  ])('are rejected by name if they are not harmless: %s', (directive, ...lines) => {
    expect(() => build(profile(...lines))).toThrow(
      expect.objectContaining({ details: { directive, line: expect.any(Number) as number } }) as Error,
    )
  })
})

describe('a marker', () => {
  it('announces a block, wherever it is', () => {
    const text = build(profile('ca [inline]', 'cert [inline]', "key '[inline]'")).text
    expect(text.match(/^<(ca|cert|key)>$/gm)).toHaveLength(3)
    expect(text).not.toContain('[inline]')
  })

  it('tells the direction of a key, unless a later line does', () => {
    const tlsAuth = inline('tls-auth', newStaticKey())
    const directions = (...lines: string[]) =>
      directives(build(profile(...lines)).text).filter((line) => line.startsWith('key-direction'))
    expect(directions('tls-auth [inline] 1', tlsAuth)).toEqual(['key-direction 1'])
    expect(directions('tls-auth [inline] 1', tlsAuth, 'key-direction 0').at(-1)).toBe('key-direction 0')
    expect(directions('tls-auth [inline]', tlsAuth)).toEqual([])
  })

  it.each([
    'tls-auth [inline] 1',
    'tls-crypt [inline]',
    'tls-crypt-v2 [inline]',
    'ca [inline] 1',
    'tls-auth [inline] 2',
  ])('is rejected without its block, or with something behind it: %s', (line) => {
    expect(() => build(profile(line))).toThrow(withCode('profile-configuration/invalid-argument'))
  })
})

describe('quoted words', () => {
  it.each([
    [`verify-x509-name "vpn" name`, 'verify-x509-name vpn name'],
    [`verify-x509-name 'C=DE, CN=a "b"' subject`, 'verify-x509-name "C=DE, CN=a \\"b\\"" subject'],
    ['verify-x509-name a\\ \\\\b', 'verify-x509-name "a \\\\b"'],
    [`verify-x509-name "L'École #1; 東京"`, `verify-x509-name "L'École #1; 東京"`],
    [`verify-x509-name "#a"`, 'verify-x509-name "#a"'],
  ])('are written so that OpenVPN reads the same: %s', (line, written) => {
    expect(directives(build(profile(line)).text)).toContain(written)
  })

  it('are no longer than a line of OpenVPN', () => {
    expect(() => build(profile(`verify-x509-name '${'"'.repeat(200)}'`))).toThrow(
      withCode('profile-configuration/invalid-argument'),
    )
  })
})

describe('compression', () => {
  it.each(['compress lz4', 'comp-lzo', 'comp-lzo yes', 'allow-compression asym', 'compress lzo'])(
    'is rejected with the reason: %s',
    (line) => {
      expect(() => build(profile(line))).toThrow(
        expect.objectContaining({
          variant: 'compression',
          details: { directive: line.split(' ')[0], line: 32 },
        }) as Error,
      )
    },
  )
})

describe('blocks', () => {
  const certificate = ca.trim().split(/\r?\n/)
  const staticKey = tlsCrypt.split('\n')
  const withBlock = (name: string, lines: readonly string[]) =>
    build(
      [
        'remote a.example',
        ...(name === 'ca' ? [] : [inline('ca', ca)]),
        `<${name}>`,
        ...lines,
        `</${name}>`,
      ].join('\n'),
    ).text

  it('may contain several authorities, without the text around them', () => {
    const text = withBlock('ca', [
      'Certificate:',
      '  Data: up /x',
      ...certificate,
      '',
      ...certificate,
      'up /x',
    ])
    expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(3)
    expect(text).not.toContain('up /x')
  })

  it('may contain a static key in lower or upper case', () => {
    const upper = staticKey.map((line) => (/^[0-9a-f]+$/.test(line) ? line.toUpperCase() : line))
    for (const name of ['tls-crypt', 'tls-auth']) {
      expect(withBlock(name, upper)).toContain(staticKey.slice(4).join('\n'))
    }
  })

  it('may contain a client key for tls-crypt-v2', () => {
    const pem = (bytes: number) => [
      '-----BEGIN OpenVPN tls-crypt-v2 client key-----',
      ...(Buffer.alloc(bytes, 7)
        .toString('base64')
        .match(/.{1,64}/g) ?? []),
      '-----END OpenVPN tls-crypt-v2 client key-----',
    ]
    expect(withBlock('tls-crypt-v2', pem(600))).toContain(pem(600).join('\n'))
    expect(() => withBlock('tls-crypt-v2', pem(256))).toThrow(
      withCode('profile-configuration/invalid-argument'),
    )
  })

  it.each<[string, string, string[]]>([
    ['a truncated certificate', 'ca', certificate.slice(0, -1)],
    ['a certificate cut in its middle', 'ca', certificate.filter((_, index) => index !== 3)],
    [
      'a certificate with other text in it',
      'ca',
      [...certificate.slice(0, 2), 'up /x', ...certificate.slice(2)],
    ],
    ['a key in the place of a certificate', 'ca', keyPair.privateKey.trim().split('\n')],
    ['a certificate and a key', 'ca', [...certificate, ...keyPair.privateKey.trim().split('\n')]],
    ['no certificate', 'ca', ['up /x']],
    ['nothing', 'ca', []],
    ['a static key that is short', 'tls-crypt', staticKey.filter((_, index) => index !== 5)],
    ['a static key that is long', 'tls-auth', [...staticKey.slice(0, 5), ...staticKey.slice(4)]],
    [
      'a static key with other text in it',
      'tls-crypt',
      [...staticKey.slice(0, 5), 'up /x', ...staticKey.slice(5)],
    ],
    ['two static keys', 'tls-crypt', [...staticKey, ...staticKey]],
  ])('are rejected with %s', (_, name, lines) => {
    expect(() => withBlock(name, lines)).toThrow(
      withCode('profile-configuration/invalid-argument', {
        directive: name,
        line: expect.any(Number) as number,
      }),
    )
  })

  it('may not occur twice', () => {
    expect(() => build(profile(inline('ca', ca)))).toThrow(withCode('profile-configuration/invalid-argument'))
  })
})

describe('the key pair', () => {
  it.each([
    { ...keyPair, privateKey: 'no key' },
    { ...keyPair, certificate: `${keyPair.certificate}\n</cert>\nup /x`.replace(/-----END.*/, '') },
    { certificate: keyPair.privateKey, privateKey: keyPair.privateKey },
  ])('is rejected if invalid, without its content in the error (%#)', (broken) => {
    try {
      buildConfiguration(profile(), broken, linux)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'certificate/invalid' })
      expect(JSON.stringify([error, (error as Error).message])).not.toContain(
        keyPair.privateKey.split('\n')[1],
      )
    }
  })

  it('cannot add a directive', () => {
    const { text } = buildConfiguration(
      profile(),
      { ...keyPair, certificate: `${keyPair.certificate}\n</cert>\nup /x` },
      linux,
    )
    expect(text).not.toContain('up /x')
  })
})

describe('remotes to avoid', () => {
  const udp = { host: 'vpn.example.org', port: 1194, protocol: 'udp' } as const
  const tcp = { ...udp, protocol: 'tcp' } as const
  const both = portalProfile({ ca, remotes: ['vpn.example.org 1194 udp6', 'vpn.example.org 1194 tcp'] })
  const all = build(both)

  it('are left out without other changes', () => {
    const { text, remotes } = build(both, { avoid: [udp] })
    expect(remotes).toEqual([tcp])
    expect(text).toBe(all.text.replace('remote vpn.example.org 1194 udp6\n', ''))
  })

  it('are kept if no remote would be left, and if only the port differs', () => {
    expect(build(both, { avoid: [udp, tcp] })).toEqual(all)
    expect(build(both, { avoid: [{ ...udp, port: 1195 }] })).toEqual(all)
  })
})

it('is outdated if the current profile has other servers or options', () => {
  const remotes = ['vpn.example.org 1194 tcp', 'vpn.example.org 443 tcp']
  const all = build(portalProfile({ ca, remotes }))
  const fewer = build(portalProfile({ ca, remotes: remotes.slice(1) }))
  expect(isOutdated(all, all)).toBe(false)
  // The earlier profile contained only one of the remotes.
  expect(isOutdated(fewer, all)).toBe(false)
  expect(isOutdated(all, fewer)).toBe(true)
  expect(isOutdated(fewer, build(portalProfile({ ca, remotes, extra: ['ping 7'] })))).toBe(true)
})
