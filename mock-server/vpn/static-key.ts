import { randomBytes } from 'node:crypto'

/** A new pre-shared key for tls-crypt in the format of `openvpn --genkey secret`. */
export function newStaticKey(): string {
  const lines = randomBytes(256).toString('hex').match(/.{32}/g) ?? []
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join(
    '\n',
  )
}
