import { describe, expect, it } from 'vitest'

import { CausewayError } from '../../errors'
import { createTestAuthority } from './certificates.testing'
import { isOpenVpn25 } from '../../privilege/openvpn-version.testing'
import { buildConfiguration } from './configuration'
import { inline, newStaticKey } from './loopback-server.testing'
import { startPlainOpenVpn } from './plain-openvpn.testing'

const authority = createTestAuthority()
const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
const ca = inline('ca', authority.certificate)
const cert = inline('cert', keyPair.certificate)
const key = inline('key', keyPair.privateKey)
const own = `${ca}\n${cert}\n${key}`
const tlsAuth = inline('tls-auth', newStaticKey())
const tlsCrypt = inline('tls-crypt', newStaticKey())

interface Form {
  /** The kind of program that writes profiles of this form. */
  readonly from: string
  readonly text: string | Buffer
  /** False if OpenVPN 2.6 on Linux rejects it. */
  readonly plain?: false
  /** The directive because of which Causeway rejects it. */
  readonly refused?: string
}

/** Profiles as public tools write them, each with a server on this computer that doesn't answer. */
const forms: readonly Form[] = [
  {
    from: 'an installation script for Linux servers',
    text: `client\ndev tun\nproto udp\nremote 127.0.0.1 1194\nresolv-retry infinite\nnobind\npersist-key\npersist-tun\nremote-cert-tls server\nauth SHA512\nignore-unknown-option block-outside-dns\nverb 3\nblock-outside-dns\n${own}\n${tlsCrypt}\n`,
  },
  {
    from: 'an installation script with elliptic curves',
    text: `client\nproto udp\nexplicit-exit-notify\nremote 127.0.0.1 1194\ndev tun\nresolv-retry infinite\nnobind\npersist-key\npersist-tun\nremote-cert-tls server\nverify-x509-name server_Zx81 name\nauth SHA256\nauth-nocache\ncipher AES-128-GCM\ntls-client\ntls-version-min 1.2\ntls-cipher TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256\nignore-unknown-option block-outside-dns\nsetenv opt block-outside-dns # Prevent Windows 10 DNS leak\nverb 3\n${own}\n${tlsCrypt}\n`,
  },
  {
    from: 'an installation script for single-board computers',
    text: `client\ndev tun\nproto udp\nremote 127.0.0.1 1194\nresolv-retry infinite\nnobind\nremote-cert-tls server\ntls-version-min 1.2\nverify-x509-name pi_1f2e name\ncipher AES-256-CBC\nauth SHA256\nauth-nocache\nverb 3\n${own}\n${tlsCrypt}\n`,
  },
  {
    from: 'a firewall distribution, inline',
    text: `dev tun\npersist-tun\npersist-key\ndata-ciphers AES-256-GCM:AES-128-GCM:CHACHA20-POLY1305:AES-256-CBC\ndata-ciphers-fallback AES-256-CBC\nauth SHA256\ntls-client\nclient\nresolv-retry infinite\nremote 127.0.0.1 1194 udp4\nnobind\nverify-x509-name "vpn server" name\nremote-cert-tls server\nexplicit-exit-notify\n${own}\nkey-direction 1\n${tlsAuth}\n`,
  },
  {
    from: 'a firewall distribution, with a distinguished name',
    text: `dev tun\npersist-tun\npersist-key\ncipher AES-256-CBC\nauth SHA512\nclient\nresolv-retry infinite\nremote 127.0.0.1 1194 udp\nlport 0\nverify-x509-name "C=NL, ST=Zuid-Holland, L=Delft, O=\\"Example\\" B.V., CN=vpn" subject\nremote-cert-tls server\n${own}\n`,
  },
  {
    from: 'a firewall distribution, as an archive',
    text: `dev tun\nclient\nremote 127.0.0.1 1194 udp\nnobind\npkcs12 firewall.p12\ntls-auth firewall.key 1\nremote-cert-tls server\n`,
    plain: false,
    refused: 'pkcs12',
  },
  {
    from: 'an access server',
    text: `# Automatically generated OpenVPN client config file\n# OVPN_ACCESS_SERVER_PROFILE=user@vpn/AUTOLOGIN\nsetenv FORWARD_COMPATIBLE 1\nclient\nserver-poll-timeout 4\nnobind\nremote 127.0.0.1 1194 udp\nremote 127.0.0.1 443 tcp\ndev tun\ndev-type tun\nremote-cert-tls server\ntls-version-min 1.2\nreneg-sec 604800\nsndbuf 100000\nrcvbuf 100000\ncomp-lzo no\nverb 3\nsetenv PUSH_PEER_INFO\n\n${own}\nkey-direction 1\n${tlsAuth}\n\n## -----BEGIN RSA SIGNATURE-----\n## DIGEST:sha256\n## -----END RSA SIGNATURE-----\n`,
  },
  {
    from: 'an access server, with a password',
    text: `client\nremote 127.0.0.1 1194 udp\ndev tun\nnobind\nauth-user-pass\n${own}\n`,
    plain: false,
    refused: 'auth-user-pass',
  },
  {
    from: 'a provider with compression off',
    text: `client\ndev tun\nproto udp\nremote 127.0.0.1 1194\nresolv-retry infinite\nremote-random\nnobind\ntun-mtu 1500\ntun-mtu-extra 32\nmssfix 1450\npersist-key\npersist-tun\nping 15\nping-restart 0\nping-timer-rem\nreneg-sec 0\ncomp-lzo no\nremote-cert-tls server\nverb 3\npull\nfast-io\ncipher AES-256-CBC\nauth SHA512\n${own}\nkey-direction 1\n${tlsAuth}\n`,
  },
  {
    from: 'a provider with fragments and an old key size',
    text: `dev tun\nfast-io\npersist-key\npersist-tun\nnobind\nremote 127.0.0.1 1195\n\nremote-random\npull\ncomp-lzo no\ntls-client\nverify-x509-name Server name-prefix\nns-cert-type server\nkey-direction 1\nroute-method exe\nroute-delay 2\ntun-mtu 1500\nfragment 1300\nmssfix 1200\nverb 3\ncipher AES-256-CBC\nkeysize 256\nauth SHA512\nsndbuf 524288\nrcvbuf 524288\n${own}\n${tlsAuth}\n`,
    plain: false,
  },
  {
    from: 'a provider that tells the client what it wants',
    text: `client\ndev tun\nremote 127.0.0.1 443\nproto udp\nresolv-retry infinite\nnobind\npersist-key\npersist-tun\nauth-nocache\nroute-delay 5\nverb 3\nexplicit-exit-notify 5\npush-peer-info\nsetenv UV_IPV6 yes\nremote-cert-tls server\ncomp-lzo no\ndata-ciphers AES-256-GCM:AES-256-CBC:AES-192-GCM:AES-192-CBC:AES-128-GCM:AES-128-CBC:CHACHA20-POLY1305\ndata-ciphers-fallback AES-256-CBC\nauth SHA512\n${own}\n${tlsCrypt}\n`,
  },
  {
    from: 'a provider with compression framing alone',
    text: `client\ndev tun\nproto udp\nremote 127.0.0.1 1198\nresolv-retry infinite\nnobind\npersist-key\npersist-tun\ncipher aes-128-cbc\nauth sha1\ntls-client\nremote-cert-tls server\ncompress\nverb 1\nreneg-sec 0\n${own}\ndisable-occ\n`,
  },
  {
    from: 'a provider that revokes certificates in the profile',
    text: `client\ndev tun\nremote 127.0.0.1 1198\n<crl-verify>\n-----BEGIN X509 CRL-----\n-----END X509 CRL-----\n</crl-verify>\n${own}\n`,
    refused: 'crl-verify',
  },
  {
    from: 'a provider that runs a script for DNS',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nscript-security 2\nup /etc/openvpn/no-such-script\n${own}\n`,
    plain: false,
    refused: 'script-security',
  },
  {
    from: 'a provider that says IPv6',
    text: `client\ndev tun\nresolv-retry infinite\nnobind\npersist-key\npersist-tun\nverb 3\nremote-cert-tls server\nping 10\nping-restart 60\nsndbuf 524288\nrcvbuf 524288\ncipher AES-256-GCM\ntls-cipher TLS-DHE-RSA-WITH-AES-256-GCM-SHA384:TLS-DHE-RSA-WITH-AES-256-CBC-SHA\nproto udp\ntun-ipv6\nremote-random\nremote 127.0.0.1 1300\nremote 127.0.0.1 1301\n${own}\n`,
  },
  {
    from: 'a storage device',
    text: `dev tun\ntls-client\n\nremote 127.0.0.1 1194\n\n# The "float" tells OpenVPN to accept authenticated packets from any address,\n#float\n\n# If redirect-gateway is enabled, the client will redirect it's\n#redirect-gateway def1\n\n# dhcp-option DNS: To set primary domain name server address.\n#dhcp-option DNS DNS_IP_ADDRESS\n\npull\nproto udp\nreneg-sec 0\ncipher AES-256-CBC\nauth SHA512\n${own}\n`,
  },
  {
    from: 'a storage device, with compression',
    text: `dev tun\ntls-client\nremote 127.0.0.1 1194\npull\nproto udp\ncomp-lzo\nreneg-sec 0\n${own}\n`,
    refused: 'comp-lzo',
  },
  {
    from: 'a home router',
    text: `# Config generated by the router\nremote 127.0.0.1 1194\nfloat\nnobind\nproto udp\ndev tun\nsndbuf 0\nrcvbuf 0\nkeepalive 10 30\nauth SHA1\ncipher AES-128-CBC\nremote-cert-tls server\nclient\n${own}\n`,
  },
  {
    from: 'a home router over TCP',
    text: `client\r\ndev tun0\r\nproto tcp-client\r\nremote 127.0.0.1 443\r\nnobind\r\npersist-key\r\npersist-tun\r\ncipher AES-256-CBC\r\nauth SHA1\r\nremote-cert-tls server\r\nverb 3\r\n${own.replaceAll('\n', '\r\n')}\r\n`,
  },
  {
    from: 'a router distribution',
    text: `user nobody\ngroup nogroup\ndev tun1\nnobind\nclient\nremote 127.0.0.1 1194 udp\nauth-nocache\nremote-cert-tls server\n${tlsCrypt}\n${own}\n`,
  },
  {
    from: 'the sample configuration of OpenVPN',
    text: `##############################################\n# Sample client-side OpenVPN 2.0 config file #\n##############################################\n\n;dev tap\ndev tun\n;dev-node MyTap\n;proto tcp\nproto udp\nremote 127.0.0.1 1194\n;remote my-server-2 1194\n;remote-random\nresolv-retry infinite\nnobind\nclient\n# Downgrade privileges after initialization (non-Windows only)\nuser nobody\n;group nobody\npersist-key\npersist-tun\n;http-proxy-retry # retry on connection failures\n# Wireless networks often produce a lot\nmute-replay-warnings\n${own}\nremote-cert-tls server\n${tlsAuth}\nkey-direction 1\ncipher AES-256-CBC\nverb 3\n;mute 20\n`,
  },
  {
    from: 'the sample configuration of OpenVPN, with files',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nca ca.crt\ncert client.crt\nkey client.key\n`,
    plain: false,
    refused: 'ca',
  },
  {
    from: 'an old manager of keys, with markers',
    text: `client\ndev tun\nremote 127.0.0.1 1194 udp\nca [inline]\ncert [inline]\nkey [inline]\ntls-auth [inline] 1\nremote-cert-tls server\n${own}\n${tlsAuth}\n`,
  },
  {
    from: 'a marker without its block',
    text: `client\ndev tun\nremote 127.0.0.1 1194 udp\n${own}\ntls-crypt [inline]\n`,
    plain: false,
    refused: 'tls-crypt',
  },
  {
    from: 'a service with several ways in',
    text: `client\ndev tun\nnobind\nremote-cert-tls server\n<connection>\nremote 127.0.0.1 1194 udp\nexplicit-exit-notify 2\n</connection>\n<connection>\nremote 127.0.0.1 443\nproto tcp\nconnect-timeout 5\n</connection>\n${own}\n`,
  },
  {
    from: 'a service with several ways in, each with its fragments',
    text: `client\ndev tun\nnobind\nproto udp\nport 1195\nfloat\n<connection>\n  remote 127.0.0.1\n  fragment 1300\n  mssfix 1300\n</connection>\n<connection>\n  remote 127.0.0.1 443 tcp\n</connection>\nkey-direction 1\n${own}\n${tlsAuth}\n`,
  },
  {
    from: 'a service with a proxy for one of its ways',
    text: `client\ndev tun\n<connection>\nremote 127.0.0.1 443 tcp\nhttp-proxy 127.0.0.1 8080\n</connection>\n${own}\n`,
    refused: 'http-proxy',
  },
  {
    from: 'fragments over TCP',
    text: `client\ndev tun\nremote 127.0.0.1 1194 udp\nremote 127.0.0.1 443 tcp\nfragment 1300\n${own}\n`,
    plain: false,
    refused: 'fragment',
  },
  {
    from: 'an unknown option that it says may be ignored',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nignore-unknown-option --vendor-option vendor-block another\nvendor-option with "an argument"\n<vendor-block>\nanything\n</vendor-block>\n${own}\n`,
  },
  {
    from: 'an unknown option before the line that lets it be ignored',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nvendor-option\nignore-unknown-option vendor-option\n${own}\n`,
    plain: false,
    refused: 'vendor-option',
  },
  {
    from: 'a known option that it says may be ignored',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nignore-unknown-option route-nopull\nroute-nopull\n${own}\n`,
    refused: 'route-nopull',
  },
  {
    from: 'an editor that writes Latin-1',
    text: Buffer.from(
      `# Zugang f\xfcr K\xf6ln \xa9\nclient # \xe9\ndev tun\nremote 127.0.0.1 1194\n${own.replace('<ca>', '<ca>\nSubject: CN=Z\xfcrich')}\n`,
      'latin1',
    ),
  },
  {
    from: 'an editor that writes UTF-8 with a byte order mark',
    text: `\uFEFF# Zürich – 東京\r\nclient\r\ndev tun\r\nremote 127.0.0.1 1194\r\nverify-x509-name 'C=CH, CN=Zürich' subject\r\n${own}\r\n`,
  },
  {
    from: 'a graphical client that exports quotes',
    text: `client\nremote '127.0.0.1' 1194 udp\ndev "tun"\nca '[inline]'\ncipher 'AES-256-GCM'\ndhcp-option DOMAIN "example.org"\nroute "10.9.0.0" '255.255.0.0'\nnobind\n${own}\n`,
  },
  {
    from: 'a client with options of the command line',
    text: `--client\n--dev tun\n--remote 127.0.0.1 1194\n--mute-replay-warnings\n--verb 3\n${own}\n`,
  },
  {
    from: 'a bridge',
    text: `client\ndev tap\nremote 127.0.0.1 1194\n${own}\n`,
    refused: 'dev',
  },
  {
    from: 'split tunnelling',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nroute 10.0.0.0 255.0.0.0\nroute 192.168.7.0 255.255.255.0 net_gateway\nroute remote_host 255.255.255.255 net_gateway\nroute-ipv6 2001:db8:1::/48\nroute-metric 50\nredirect-gateway def1 bypass-dhcp ipv6\ndhcp-option DNS 10.0.0.53\n${own}\n`,
  },
  {
    from: 'routes that a server should not set',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nroute-nopull\nroute 10.0.0.0 255.0.0.0\n${own}\n`,
    refused: 'route-nopull',
  },
  {
    from: 'an IPv6 route past the VPN, which OpenVPN cannot read',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nroute-ipv6 2001:db8:2::/48 net_gateway_ipv6\n${own}\n`,
    refused: 'route-ipv6',
  },
  {
    from: 'a service that needs no digest beside its ciphers',
    text: `client\ndev tun\nremote 127.0.0.1 1194\ncipher AES-256-GCM\ndata-ciphers AES-256-GCM:CHACHA20-POLY1305\nauth none\n${tlsCrypt}\n${own}\n`,
  },
  {
    from: 'packets that nothing authenticates',
    text: `client\ndev tun\nremote 127.0.0.1 1194\ndata-ciphers AES-256-GCM:AES-256-CBC\nauth none\n${own}\n`,
    refused: 'auth',
  },
  {
    from: 'no digest, and ciphers that OpenVPN chooses',
    text: `client\ndev tun\nremote 127.0.0.1 1194\nauth none\n${own}\n`,
    refused: 'auth',
  },
  {
    from: 'no digest for a key that needs one',
    text: `client\ndev tun\nremote 127.0.0.1 1194\ncipher AES-256-GCM\nauth none\n${tlsAuth}\n${own}\n`,
    plain: false,
    refused: 'auth',
  },
  {
    from: 'negotiation turned off',
    text: `client\ndev tun\nremote 127.0.0.1 1194\ncipher AES-256-CBC\nncp-disable\n${own}\n`,
    plain: false,
  },
  {
    from: 'a name for the device',
    text: `client\ndev tun-office\ndev-type tun\nremote 127.0.0.1 1194\nport 1195\nrport 1196\n${own}\n`,
  },
]

/** OpenVPN has accepted everything, and contacts the server. */
const contacts = /^(?:UDP(?:v[46])? link remote: |Attempting to establish TCP connection with )/

async function isAcceptedByOpenVpn(text: string | Buffer): Promise<boolean> {
  const openVpn = await startPlainOpenVpn(text, contacts)
  await openVpn.stop()
  return openVpn.reached
}

function build(text: string): string | { readonly refused: unknown; readonly line: unknown } {
  try {
    return buildConfiguration(text, keyPair, { platform: 'linux', mode: 'full' }).text
  } catch (error) {
    if (!(error instanceof CausewayError)) throw error
    expect(error.code).toMatch(/^profile-configuration\//)
    return { refused: error.details?.directive, line: error.details?.line }
  }
}

it('has at least 40 forms', () => {
  expect(forms.length).toBeGreaterThanOrEqual(40)
})

describe.skipIf(process.platform !== 'linux').concurrent('a profile of', () => {
  it.for(forms)('$from', async ({ text, plain = true, refused }, test) => {
    const decoded = typeof text === 'string' ? text : new TextDecoder().decode(text)
    const built = build(decoded)
    if (!isOpenVpn25) test.expect(await isAcceptedByOpenVpn(text)).toBe(plain)
    if (refused === undefined) {
      test.expect(typeof built === 'string' ? await isAcceptedByOpenVpn(built) : built).toBe(true)
    } else {
      const lines = decoded.split('\n')
      test.expect(built).toEqual({ refused, line: test.expect.any(Number) as number })
      const line = typeof built === 'string' ? 0 : Number(built.line)
      test.expect(lines[line - 1]).toContain(refused)
    }
  })
})
