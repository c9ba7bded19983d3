/** Number of bytes of a pre-shared key. */
export const staticKeyBytes = 256

/** Returns the pre-shared key for tls-crypt made of these bytes, in the format of `openvpn --genkey secret`. */
export function staticKey(bytes: Buffer): string {
  const lines = bytes.toString('hex').match(/.{32}/g) ?? []
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join(
    '\n',
  )
}
