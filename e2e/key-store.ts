import keytar from '@github/keytar'

/** What the key store of the system holds for an instance: the values of its entries by their account. */
export async function keptEntries(host: string): Promise<ReadonlyMap<string, string>> {
  const all = await keytar.findCredentials('causeway')
  const own = all.filter(({ account }) => account.endsWith(`:${host}`) || account.includes(`:${host}#`))
  return new Map(own.map(({ account, password }) => [account, password]))
}

/** Whether the key store holds something of this kind for an instance. */
export async function keeps(kind: 'tokens' | 'key-pair', host: string): Promise<boolean> {
  return (await keptEntries(host)).has(`${kind}:${host}`)
}

/**
 * A secret as the app wrote it: in Base64 over several entries, `account`, `account#1` and so on, the first with a
 * header that ends in its last colon.
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

/** Leaves nothing behind in the key store, which may be a developer's own. */
export async function forgetSecrets(host: string): Promise<void> {
  for (const account of (await keptEntries(host)).keys()) await keytar.deletePassword('causeway', account)
}
