/** The DER parser of node-forge. Importing all of node-forge would make main a quarter larger and its start slower. */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1 } from 'node-forge'
  const part: typeof asn1
  export = part
}
