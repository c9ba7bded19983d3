import keytar from '@github/keytar'

/** Returns the key store's values for an instance, by account. */
export async function keptEntries(host: string): Promise<ReadonlyMap<string, string>> {
  const all = await keytar.findCredentials('causeway')
  const own = all.filter(({ account }) => account.endsWith(`:${host}`) || account.includes(`:${host}#`))
  return new Map(own.map(({ account, password }) => [account, password]))
}

/** Returns whether the key store has an entry of this kind for an instance. */
export async function keeps(kind: 'tokens' | 'key-pair', host: string): Promise<boolean> {
  return (await keptEntries(host)).has(`${kind}:${host}`)
}

/**
 * Returns a secret of the app, which is stored in Base64 over the entries `account`, `account#1` and so on. The first
 * starts with a header that ends in its last colon.
 */
export async function keptSecret(kind: 'tokens' | 'key-pair', host: string): Promise<unknown> {
  const entries = await keptEntries(host)
  let base64 = (entries.get(`${kind}:${host}`) ?? '').replace(/^.*:/, '')
  for (let part = 1; entries.has(`${kind}:${host}#${part}`); part += 1) {
    base64 += entries.get(`${kind}:${host}#${part}`) ?? ''
  }
  const secret: unknown = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  return secret
}

/** Deletes the instance's entries, because the key store may be a developer's own. */
export async function forgetSecrets(host: string): Promise<void> {
  for (const account of (await keptEntries(host)).keys()) await keytar.deletePassword('causeway', account)
}
