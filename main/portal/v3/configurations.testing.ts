import { CertificateAuthority } from '../../../mock-server/vpn/certificate-authority'

/** For tests: a new Ed25519 certificate and its key, as portals of version 3 issue them. */
export function newKeyPair(): { readonly certificate: string; readonly privateKey: string } {
  const authority = new CertificateAuthority({ now: () => new Date() })
  const end = new Date(Date.now() + 24 * 60 * 60_000)
  const { certificate, private_key } = authority.issueClient(end, undefined, 'Ed25519')
  return { certificate: `${certificate}\n`, privateKey: `${private_key}\n` }
}

/** For tests: the answer to a /connect. */
export function configurationText({ certificate, privateKey } = newKeyPair()): string {
  return `dev tun\nclient\n<cert>\n${certificate}</cert>\n<key>\n${privateKey}</key>\nremote 192.0.2.1 1194 udp\n`
}
