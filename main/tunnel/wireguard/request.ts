import type { Endpoint, WireGuardConfiguration } from './configuration'
import type { DialPort } from './dial-port'

/**
 * Returns the lines for the helper, in a buffer that can be overwritten: a string with the key would stay in memory.
 *
 * @param prefer the address of the server that worked before
 * @param proxy the ports of WireGuard and of the ProxyGuard client on this computer, and what the client contacts from which port
 */
export function writeRequest(
  configuration: WireGuardConfiguration,
  privateKey: Buffer,
  prefer: string | undefined,
  proxy:
    | {
        readonly listenPort: number
        readonly port: number
        readonly from: DialPort
        readonly contacted: Endpoint
      }
    | undefined,
): Buffer {
  const { addresses, mtu, peer, sharedKey, allowed, endpoint, keepalive } = configuration
  const at = proxy === undefined ? endpoint : { host: '127.0.0.1', port: proxy.port }
  const lines = [
    ...addresses.map((address) => `address ${address}`),
    ...(mtu === undefined ? [] : [`mtu ${String(mtu)}`]),
    `peer ${peer}`,
    ...(sharedKey === undefined ? [] : [`shared-key ${sharedKey}`]),
    `endpoint ${at.host} ${String(at.port)}`,
    ...(prefer === undefined ? [] : [`prefer ${prefer}`]),
    ...allowed.map((prefix) => `allowed ${prefix}`),
    `keepalive ${String(keepalive)}`,
    ...(proxy === undefined
      ? []
      : [
          `listen-port ${String(proxy.listenPort)}`,
          `proxy ${proxy.contacted.host} ${String(proxy.contacted.port)} ${String(proxy.from)}`,
        ]),
    'private-key ',
  ].join('\n')
  const request = Buffer.alloc(Buffer.byteLength(lines) + Math.ceil(privateKey.length / 3) * 4 + 1, '\n')
  request.write(lines)
  writeBase64(privateKey, request, Buffer.byteLength(lines))
  return request
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Writes base64 without a string in between, which could not be overwritten. */
export function writeBase64(bytes: Buffer, to: Buffer, offset: number): void {
  for (let index = 0; index < bytes.length; index += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(index, index + 3)
    const group = (one << 16) | (two << 8) | three
    for (let digit = 0; digit < 4; digit += 1) {
      const code =
        index * 8 + digit * 6 < bytes.length * 8 ? digits.charCodeAt((group >> (18 - 6 * digit)) & 63) : 61
      to[offset + (index / 3) * 4 + digit] = code
    }
  }
}
