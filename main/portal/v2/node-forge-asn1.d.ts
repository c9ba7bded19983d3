/** The part of node-forge that reads DER. All of it together would be a quarter of main, to be loaded at each start. */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1 } from 'node-forge'
  const part: typeof asn1
  export = part
}
