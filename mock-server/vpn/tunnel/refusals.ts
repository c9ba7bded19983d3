import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where a server refuses a certificate: in the TLS handshake, as it does an expired one, or in its `client-connect` hook,
 * as portals do with a deleted certificate and a disabled user.
 */
export const refusedPlaces = ['handshake', 'client-connect'] as const
export type RefusedIn = (typeof refusedPlaces)[number]

/** Why there are none in handshakes only. */
export const needsHooks =
  'OpenVPN has hooks only where it has a device: start the mock with --tunnel openvpn as root on Linux.'

/** How clients are refused after the handshake: with AUTH_FAILED, or without a word. */
export const refusalKinds = ['auth-failed', 'silence'] as const

/** A refusal of clients whatever their certificate, as by a server whose back end is broken. */
export interface Refusal {
  kind: (typeof refusalKinds)[number]
  /** Told to the client, after AUTH_FAILED. */
  reason?: string | undefined
  /** Of so many connections; of all until it is taken back, when it is left out. */
  times?: number | undefined
}

/** The hooks of OpenVPN that can refuse everybody; each has a folder of that name. */
const hooks = ['client-connect', 'user-pass-verify', 'silence'] as const
type Hook = (typeof hooks)[number]

/**
 * Runs as `client-connect` and, where a reason is to be given, as `auth-user-pass-verify`; OpenVPN names the hook in
 * `script_type`. Every server of the mock runs it, so that what counts for one connection is taken by moving a file.
 */
const hookScript = `cd "\${0%/*}" || exit 1
take() {
  if [ -e "$1/everyone" ]; then taken="$1/everyone"; return 0; fi
  for next in "$1"/next-*; do
    if mv "$next" "$1/taken-$$" 2>/dev/null; then taken="$1/taken-$$"; return 0; fi
  done
  return 1
}
if [ "$script_type" = user-pass-verify ]; then
  if take user-pass-verify; then cat "$taken" >"$auth_failed_reason_file"; exit 1; fi
  exit 0
fi
if [ -e "client-connect/$tls_serial_0" ] || take client-connect; then exit 1; fi
# Deferred, and never decided: the client hears nothing.
if take silence; then printf 2 >"$client_connect_deferred_file"; exit 0; fi
exit 0
`

/** Who is refused by the running servers: files that OpenVPN (`crl-verify`) and its hooks look for at every connection. */
export class Refusals {
  readonly #folder = mkdtempSync(join(tmpdir(), 'causeway-mock-'))

  constructor() {
    for (const name of ['handshake', ...hooks]) mkdirSync(join(this.#folder, name))
    writeFileSync(this.hook, hookScript)
  }

  /** The folder for `crl-verify`. */
  get handshakeFolder(): string {
    return join(this.#folder, 'handshake')
  }

  /** The shell script for `client-connect` and `auth-user-pass-verify`. */
  get hook(): string {
    return join(this.#folder, 'hook')
  }

  /** From now on refuses the certificate with this serial number, in hexadecimal. */
  add(serialNumber: string, refusedIn: RefusedIn): void {
    writeFileSync(this.#fileOf(serialNumber, refusedIn), '')
  }

  /** Refuses it no longer. */
  delete(serialNumber: string): void {
    for (const place of refusedPlaces) rmSync(this.#fileOf(serialNumber, place), { force: true })
  }

  /** Refuses everybody in this way, in place of the way before; nobody when it is left out. */
  refuseAll(refusal?: Refusal): void {
    for (const hook of hooks) {
      for (const name of this.#tickets(hook)) rmSync(join(this.#folder, hook, name), { force: true })
    }
    if (refusal === undefined) return
    const { kind, reason = '', times } = refusal
    const authFailed = reason === '' ? 'client-connect' : 'user-pass-verify'
    const hook = kind === 'silence' ? 'silence' : authFailed
    const names =
      times === undefined ? ['everyone'] : Array.from({ length: times }, (_, index) => `next-${index}`)
    for (const name of names) writeFileSync(join(this.#folder, hook, name), reason)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The files that count for everybody, not those of certificates. */
  #tickets(hook: Hook): string[] {
    if (!existsSync(this.#folder)) return []
    return readdirSync(join(this.#folder, hook)).filter((name) => !/^\d+$/.test(name))
  }

  #fileOf(serialNumber: string, refusedIn: RefusedIn): string {
    return join(this.#folder, refusedIn, BigInt(`0x${serialNumber}`).toString())
  }
}
