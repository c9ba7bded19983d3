/**
 * A configuration that `buildConfiguration` wrote, as it may be shown: the private key and the keys that are shared with
 * the server are replaced.
 */
export function redactConfiguration(text: string): string {
  return text
    .replace(/^<key>\n[^<]*/gm, '<key>\n[private key]\n')
    .replace(/^<(tls-crypt|tls-auth|tls-crypt-v2)>\n[^<]*/gm, '<$1>\n[shared key]\n')
}
