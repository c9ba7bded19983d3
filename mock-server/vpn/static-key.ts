/** How many bytes a pre-shared key is made of. */
export const staticKeyBytes = 256

/** The pre-shared key for tls-crypt that these bytes make, in the format of `openvpn --genkey secret`. */
export function staticKey(bytes: Buffer): string {
  const lines = bytes.toString('hex').match(/.{32}/g) ?? []
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join(
    '\n',
  )
}
