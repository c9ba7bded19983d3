/** Leaves room for a number behind the name; file systems take 255 bytes. */
const longestBytes = 200
const longestExtension = 32

const forbidden = /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029]/gu
/** What writes all that follows in another direction: no text needs it where each text is isolated. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a text to be shown without what has it read in another order: with it `report fdp.exe` looks as if it ended in
 * pdf. Control characters go with it, but not line ends and tabs.
 */
export function withoutReordering(text: string): string {
  return text.replaceAll(reordering, '').replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}

/** What turns the direction of writing, so that `exe.pdf` could be read where `fdp.exe` is. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Names of devices on Windows, with any extension. */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i

/**
 * The name under which the file of an attachment is saved: one segment of a path that Windows, macOS and Linux all take,
 * neither hidden nor a device nor an option, made of its title and extension.
 */
export function fileNameFor(title: string, extension = ''): string {
  const ending = cleaned(extension).replaceAll(/[\s.]/g, '').slice(0, longestExtension)
  const suffix = ending === '' ? '' : `.${ending}`
  const whole = cleaned(title)
  const hasSuffix = suffix !== '' && whole.toLowerCase().endsWith(suffix.toLowerCase())
  const stem = trimmed(hasSuffix ? whole.slice(0, -suffix.length) : whole)
  const name = trimmed(shortened(stem, longestBytes - Buffer.byteLength(suffix)))
  const safe = name === '' ? 'attachment' : name
  return `${device.test(`${safe}${suffix}`) ? '_' : ''}${safe}${suffix}`
}

/** The same name with a number, for where it is taken. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? `${name} (${number})` : `${name.slice(0, dot)} (${number})${name.slice(dot)}`
}

function cleaned(text: string): string {
  return text.normalize('NFC').replaceAll(direction, '').replaceAll(/\s+/g, ' ').replaceAll(forbidden, '_')
}

/**
 * Windows takes no full stops and spaces at the end; elsewhere a full stop at the beginning hides a file, and programs take
 * a dash there for an option and a tilde for a home directory.
 */
function trimmed(text: string): string {
  return text.replace(/^[\s.~\p{Pd}]+/u, '').replace(/[\s.]+$/, '')
}

function shortened(text: string, bytes: number): string {
  let result = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    result += character
  }
  return result
}
