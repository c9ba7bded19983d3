/**
 * Replaces the private key, the login at a proxy and the keys shared with the server in a configuration of `buildConfiguration`, so that it can
 * be shown.
 */
export function redactConfiguration(text: string): string {
  return text
    .replace(/^<key>\n[^<]*/gm, '<key>\n[private key]\n')
    .replace(/^(<http-proxy-user-pass>)\n[^]*?\n(?=<\/http-proxy-user-pass>$)/gm, '$1\n[user and password]\n')
    .replace(/^<(tls-crypt|tls-auth|tls-crypt-v2)>\n[^<]*/gm, '<$1>\n[shared key]\n')
}
