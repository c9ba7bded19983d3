import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** An RSA key pair of 2048 bits, in PEM. */
interface RsaKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** What `generateKeyPair` needs for such a pair. */
export const rsaOptions = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const

/** The number of key pairs that each function below hands out in turn. */
const each = 8
/** The key pairs of this test run (scripts/test-keys.ts): making one takes a tenth of a second of processor time. */
let shared: readonly RsaKeys[] | undefined

/**
 * Returns a function that hands out eight key pairs in turn. Authorities and their certificates have keys of their own, so
 * that two authorities of a test differ.
 *
 * @param first the place of the first one among those of the test run; without a test run, each is made when it is first needed
 */
function keysInTurn(first: number): () => RsaKeys {
  const made: RsaKeys[] = []
  let count = 0
  return () => {
    const place = count++ % each
    return (made[place] ??= sharedKeys()?.[first + place] ?? generateKeyPairSync('rsa', rsaOptions))
  }
}

export const authorityKeys = keysInTurn(0)
export const certificateKeys = keysInTurn(each)

function sharedKeys(): readonly RsaKeys[] | undefined {
  const file = process.env.TEST_RSA_KEYS
  if (file === undefined) return undefined
  return (shared ??= JSON.parse(readFileSync(file, 'utf8')) as readonly RsaKeys[])
}
