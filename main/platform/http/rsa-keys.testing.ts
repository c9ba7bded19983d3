import { generateKeyPairSync } from 'node:crypto'

/** An RSA key pair of 2048 bits, in PEM. */
interface RsaKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/**
 * Returns a function that hands out eight key pairs in turn, each made when it is first needed: making one takes a tenth of
 * a second of processor time. Authorities and their certificates have keys of their own, so that two authorities of a test differ.
 */
function keysInTurn(): () => RsaKeys {
  const made: RsaKeys[] = []
  let count = 0
  return () => (made[count++ % 8] ??= newKeys())
}

export const authorityKeys = keysInTurn()
export const certificateKeys = keysInTurn()

function newKeys(): RsaKeys {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}
