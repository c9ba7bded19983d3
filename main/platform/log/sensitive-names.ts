const always =
  /token|secret|passw|passphrase|authori[sz]ation|cookie|verifier|privatekey|sharedkey|apikey|credential|signature|assertion/
const errorCode = /^[a-z-]+\/[a-z-]+$/

/** Returns true if the value of a field must never be written. */
export function isSensitiveField(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return false
  const plain = normal(name)
  if (plain === 'code') return typeof value === 'string' && !errorCode.test(value)
  return always.test(plain)
}

/** Does the same for running text, such as `code=…`: a short code there is a program's own, such as an exit status. */
export function isSensitiveAssignment(name: string, value: string): boolean {
  const plain = normal(name)
  if (plain === 'code') return value.length >= 6 && !errorCode.test(value)
  if (plain === 'state' || plain === 'nonce') return value.length >= 16
  return always.test(plain)
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
