/** Leaves room for a number; file systems allow 255 bytes. */
const longestBytes = 200
const longestExtension = 32

const forbidden = /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029]/gu
/** Characters that change the direction of text, with which `fdp.exe` reads as `exe.pdf`. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Device names on Windows, with any extension. */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i

/**
 * Returns the name under which an attachment's file is saved, made of its title and extension: one path segment that
 * Windows, macOS and Linux accept, neither hidden nor a device nor an option.
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

/** Adds a number to a name that is taken. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? `${name} (${number})` : `${name.slice(0, dot)} (${number})${name.slice(dot)}`
}

function cleaned(text: string): string {
  return text.normalize('NFC').replaceAll(direction, '').replaceAll(/\s+/g, ' ').replaceAll(forbidden, '_')
}

/**
 * Removes full stops and spaces at the end, which Windows does not accept, and at the beginning the full stop of hidden
 * files, the dash of options and the tilde of home directories.
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
