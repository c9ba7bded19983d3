import { X509Certificate, createPrivateKey } from 'node:crypto'
import type { OpenVpnTunnel } from '../../tunnel/tunnel'

/** Longer than any certificate chain or key; limits the work on hostile text. */
const maxLength = 64 * 1024

/**
 * Takes the client certificate and the private key out of an OpenVPN configuration. Both are generated again from their
 * decoded bytes. Returns undefined unless there is exactly one of each and they belong together. The rest of the text
 * isn't checked here: that is the task of the tunnel backend, as for any configuration.
 */
export function splitConfiguration(text: string): OpenVpnTunnel | undefined {
  const cert = takeBlock(text, 'cert')
  const key = cert && takeBlock(cert.rest, 'key')
  if (cert === undefined || key === undefined) return undefined
  if (Math.max(cert.content.length, key.content.length) > maxLength) return undefined
  try {
    const certificate = new X509Certificate(cert.content)
    const privateKey = createPrivateKey(key.content)
    if (!certificate.checkPrivateKey(privateKey)) return undefined
    return {
      protocol: 'openvpn',
      profile: key.rest,
      certificate: certificate.toString(),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
  } catch {
    return undefined
  }
}

/** Cuts the only inline block of this name out of the text. */
function takeBlock(
  text: string,
  name: string,
): { readonly content: string; readonly rest: string } | undefined {
  const lines = text.split('\n')
  const places = (line: string) => lines.flatMap((each, index) => (each.trim() === line ? [index] : []))
  const [start, ...otherStarts] = places(`<${name}>`)
  const [end, ...otherEnds] = places(`</${name}>`)
  if (start === undefined || end === undefined || end < start) return undefined
  if (otherStarts.length > 0 || otherEnds.length > 0) return undefined
  return {
    content: lines.slice(start + 1, end).join('\n'),
    rest: [...lines.slice(0, start), ...lines.slice(end + 1)].join('\n'),
  }
}
