import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The certificates that running servers refuse: a folder that OpenVPN looks into at every handshake (`crl-verify`). */
export class RefusedCertificates {
  readonly folder = mkdtempSync(join(tmpdir(), 'causeway-mock-'))

  /** From now on refuses the certificate with this serial number, in hexadecimal. */
  add(serialNumber: string): void {
    writeFileSync(this.#fileOf(serialNumber), '')
  }

  /** Refuses it no longer. */
  delete(serialNumber: string): void {
    rmSync(this.#fileOf(serialNumber), { force: true })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #fileOf(serialNumber: string): string {
    return join(this.folder, BigInt(`0x${serialNumber}`).toString())
  }
}
