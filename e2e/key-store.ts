import keytar from '@github/keytar'

/** What the key store of the system holds for an instance: the values of its entries by their account. */
export async function keptSecrets(host: string): Promise<ReadonlyMap<string, string>> {
  const all = await keytar.findCredentials('causeway')
  return new Map(
    all.filter(({ account }) => account.includes(host)).map(({ account, password }) => [account, password]),
  )
}

/** Leaves nothing behind in the key store, which may be a developer's own. */
export async function forgetSecrets(host: string): Promise<void> {
  for (const account of (await keptSecrets(host)).keys()) await keytar.deletePassword('causeway', account)
}
