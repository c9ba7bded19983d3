import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { int, optional } from '../../schemas'
import { temporaryFolder } from '../../state/temporary-folder'

/** Where a certificate is refused: in TLS, as an expired one, or in the hook, as portals do with a deleted one. */
export const refusedPlaces = ['handshake', 'client-connect'] as const
export type RefusedIn = (typeof refusedPlaces)[number]

export const needsHooks =
  'OpenVPN has hooks only where it has a device: start the mock with --tunnel openvpn as root on Linux.'

/** A refusal after the handshake. */
export const refusalSchema = z
  .strictObject({
    kind: z
      .enum(['auth-failed', 'silence'])
      .describe('auth-failed: AUTH_FAILED, as if a hook failed; silence: no answer after the TLS handshake'),
    reason: optional(
      z.string().regex(/^[ -~]{1,200}$/),
      'Sent to the client after AUTH_FAILED, by OpenVPN 2.6 or newer',
    ),
    times: optional(int(1, 1000), 'The number of connections to refuse; all if omitted'),
  })
  .refine(({ kind, reason }) => kind === 'auth-failed' || reason === undefined, {
    error: 'Silence has no reason.',
  })
export type Refusal = z.infer<typeof refusalSchema>

/** The OpenVPN hooks that can refuse all clients. Each has a folder with its name. */
const hooks = ['client-connect', 'user-pass-verify', 'silence'] as const

/**
 * A shell script that runs as `client-connect` and, for refusals with a reason, as `auth-user-pass-verify`; OpenVPN names
 * the hook in `script_type`. All servers of the mock run it, so it claims a counted refusal by moving its file.
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

/**
 * Returns the path of a socket. Throws if it is longer than Linux allows: OpenVPN would cut it, and several servers would use one
 * socket.
 */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, name)
  if (Buffer.byteLength(path) > 107)
    throw new Error(`The path of the folder for temporary files is too long for a socket: ${path}`)
  return path
}

/** The refusals by running servers, as files that OpenVPN (`crl-verify`) and its hooks read at every connection. */
export class Refusals {
  readonly #temporary = temporaryFolder('openvpn')
  readonly #folder = this.#temporary.path
  readonly handshakeFolder = join(this.#folder, 'handshake')
  /** The shell script for `client-connect` and `auth-user-pass-verify`. */
  readonly hook = join(this.#folder, 'hook')
  #sockets = 0

  constructor() {
    for (const name of ['handshake', ...hooks]) mkdirSync(join(this.#folder, name))
    writeFileSync(this.hook, hookScript)
  }

  newSocketPath(): string {
    this.#sockets += 1
    return socketPath(this.#folder, `management-${this.#sockets}`)
  }

  add(serialNumber: string, refusedIn: RefusedIn): void {
    writeFileSync(this.#fileOf(serialNumber, refusedIn), '')
  }

  delete(serialNumber: string): void {
    for (const place of refusedPlaces) rmSync(this.#fileOf(serialNumber, place), { force: true })
  }

  /** Replaces the refusal of all clients; without an argument, withdraws it. */
  refuseAll(refusal?: Refusal): void {
    for (const hook of existsSync(this.#folder) ? hooks : []) {
      // The files of certificates have numbers for names.
      const tickets = readdirSync(join(this.#folder, hook)).filter((name) => !/^\d+$/.test(name))
      for (const name of tickets) rmSync(join(this.#folder, hook, name), { force: true })
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
    this.#temporary.remove()
  }

  #fileOf(serialNumber: string, refusedIn: RefusedIn): string {
    return join(this.#folder, refusedIn, BigInt(`0x${serialNumber}`).toString())
  }
}
