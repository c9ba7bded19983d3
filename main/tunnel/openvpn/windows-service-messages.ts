import { CausewayError } from '../../errors'
import { printable } from './tunnel-failure'

/**
 * The messages of OpenVPN's interactive service on Windows (doc/interactive-service-notes.rst and
 * src/openvpnserv/interactive.c of OpenVPN): UTF-16LE both ways, without a length or an end of their own.
 */

/** GetStartupData refuses more. */
const maxStartupCharacters = 4096
const startupDataError = 0x20000001
const openVpnError = 0x20000000

export interface StartupData {
  /** The folder that OpenVPN is started in. */
  readonly folder: string
  /** Its command line, as Windows takes it apart. */
  readonly options: string
  /** What it reads from its standard input. */
  readonly input: string
}

/** @throws CausewayError `helper/failed` where a text would be understood as another one, or is too long */
export function startupMessage({ folder, options, input }: StartupData): Buffer {
  const texts = [folder, options, input]
  const message = texts.map((text) => `${text}\0`).join('')
  if (texts.some((text) => text.includes('\0')) || message.length > maxStartupCharacters) {
    throw serviceFailed('startup-data')
  }
  return Buffer.from(message, 'utf16le')
}

/** How the service says that OpenVPN runs; of a known length, since what it says later follows without a gap. */
export function readStart(text: string): { readonly pid: number; readonly length: number } | undefined {
  const [whole, hex] = /^0x00000000\n0x([0-9a-f]{8})\nProcess ID/i.exec(text) ?? []
  if (whole === undefined || hex === undefined) return undefined
  const pid = Number.parseInt(hex, 16)
  // 0 and 4 are the system's own processes: nobody is to be ended by such a number.
  return pid > 4 ? { pid, length: whole.length } : undefined
}

export interface ServiceFailure {
  readonly code: number
  /** What failed, in words of the service. */
  readonly what: string
  /** OpenVPN's own exit code, where it ran. */
  readonly exitCode?: number
}

/** How the service says that something failed: the whole of what it said, for such a message has no end of its own. */
export function readFailure(text: string): ServiceFailure | undefined {
  const [, hex, what] = /^0x([0-9a-f]{8})\n([^\n]*)\n/i.exec(text) ?? []
  if (hex === undefined || what === undefined) return undefined
  const code = Number.parseInt(hex, 16)
  if (code === 0) return undefined
  const digits = code === openVpnError ? /exit code = (\d{1,10})$/.exec(what)?.[1] : undefined
  return { code, what, ...(digits !== undefined && { exitCode: Number(digits) }) }
}

/** Why the service started nothing. Its text is only shown, and shortened. */
export function serviceError({ code, what }: ServiceFailure): CausewayError {
  // With this code the service also says that what it read is no start-up message, and then it names its function.
  if (code === startupDataError && !what.startsWith('GetStartupData')) {
    return new CausewayError(
      'helper/service-refused',
      'The OpenVPN service on this computer doesn\'t start connections for your account. Ask an administrator to add your account to the group "OpenVPN Administrators", then sign out of Windows and back in.',
      { details: { reason: printable(what, 300) } },
    )
  }
  return serviceFailed('service-error', {
    code: `0x${code.toString(16).padStart(8, '0')}`,
    what: printable(what, 200),
  })
}

export function serviceFailed(reason: string, details: Readonly<Record<string, string>> = {}): CausewayError {
  return new CausewayError(
    'helper/failed',
    'The OpenVPN service on this computer ran into a problem. To find the cause, run: causeway doctor',
    { details: { reason, ...details } },
  )
}

export function serviceMissing(): CausewayError {
  return new CausewayError(
    'helper/service-missing',
    'The OpenVPN service isn\'t running on this computer, so Causeway can\'t set up a connection. Install OpenVPN with its service, or start the Windows service "OpenVPN Interactive Service".',
  )
}
