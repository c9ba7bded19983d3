/** The key pair of one instance, valid for all its profiles (vpn-application-api.md, section 2). */
export interface KeyPair {
  readonly certificate: string
  readonly privateKey: string
  readonly commonName: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** True if it wasn't valid by the local clock when it was issued. */
  readonly clockDiffered?: true
}
