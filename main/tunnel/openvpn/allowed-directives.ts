import { z } from 'zod'

import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'
import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import { printable } from '../printable'
import { maxLineBytes, type Directive } from './configuration-tokenizer'
import { isOptionOfOpenVpn } from './refused-options'

/**
 * The allow-list of openvpn.md as data, shared with the privileged helper: the name of a directive, and a POSIX extended
 * regular expression for all its arguments as `writeWords` writes them.
 *
 * - `keep`: written unchanged. `keepOnLinux`, `keepOnWindows`: only there, because OpenVPN rejects it elsewhere.
 * - `rewrite`: allowed in a profile, but replaced by Causeway's own.
 * - `interpret`: allowed in a profile, but not for the helper: read-profile.ts writes what it means.
 * - `inline`: only as a block, whose content is decoded and written again.
 * - `connection`: also allowed in a `<connection>` block.
 * - `drop`: allowed in a profile, and left out with any arguments. Only a directive that can't change what goes over the
 *   wire: dropped compression framing once made a tunnel that was connected and carried nothing.
 *
 * `%text%` stands for one word of any printable text, in quotes if it needs them. No other expression matches a quotation
 * mark, a backslash, a control character, or a word that starts with `#` or `;`.
 */
const allowed = z
  .object({
    keep: z.record(z.string(), z.string()),
    keepOnLinux: z.record(z.string(), z.string()),
    keepOnWindows: z.record(z.string(), z.string()),
    rewrite: z.record(z.string(), z.string()),
    interpret: z.record(z.string(), z.string()),
    inline: z.array(z.string()),
    connection: z.array(z.string()),
    drop: z.array(z.string()),
  })
  .parse(table)

const handlings = ['keep', 'keepOnLinux', 'keepOnWindows', 'rewrite', 'interpret'] as const

export type Handling = (typeof handlings)[number] | 'drop'

interface Rule {
  readonly handling: (typeof handlings)[number]
  readonly pattern: RegExp
}

/** Characters that a word may contain without quotes, and those that it may contain in quotes. */
const bare = 'A-Za-z0-9._@*:/=+,!?[\\]-'
const quoted = '[^"\\\\`$\\p{Cc}\\uFFFD\\uFEFF]|\\\\["\\\\]'
/** In quotes only if they are needed, so that the helper accepts exactly what this app writes. */
const text = `(?:[${bare}]+|"(?:${quoted})*(?:[^"\\\\\`$\\p{Cc}\\uFFFD\\uFEFF${bare}]|\\\\["\\\\])(?:${quoted})*")`
const isBare = new RegExp(`^[${bare}]+$`)

const rules = new Map<string, Rule>(
  handlings.flatMap((handling) =>
    Object.entries(allowed[handling]).map(([name, expression]) => [
      name,
      { handling, pattern: new RegExp(`^(?:${expression.replaceAll('%text%', text)})$`, 'u') },
    ]),
  ),
)

/** Directives that only frame with the arguments of the table, and compress with others. */
const compressing: readonly string[] = ['compress', 'comp-lzo', 'allow-compression']

/**
 * Returns the handling of a profile's directive, after checking its arguments unless it is dropped.
 *
 * @throws CausewayError `profile-configuration/forbidden-directive`, `profile-configuration/invalid-argument`, each with
 * `details: {directive, line}`
 */
export function handlingOf({ name, arguments: words, line }: Directive): Handling {
  if (allowed.drop.includes(name)) {
    return 'drop'
  }
  const rule = rules.get(name)
  if (rule === undefined) {
    throw allowed.inline.includes(name) ? invalidArgument(name, line, 'not-inline') : forbidden(name, line)
  }
  const written = writeWords(words)
  // OpenVPN would read the rest of a longer line as another one.
  if (!rule.pattern.test(written) || Buffer.byteLength(`${name} ${written}`) > maxLineBytes) {
    throw compressing.includes(name)
      ? forbidden(name, line, 'compression')
      : invalidArgument(name, line, 'arguments')
  }
  return rule.handling
}

/** Returns true for a directive or block that this app or OpenVPN knows, so that no profile can make it harmless. */
export function isKnown(name: string): boolean {
  return (
    rules.has(name) || allowed.drop.includes(name) || allowed.inline.includes(name) || isOptionOfOpenVpn(name)
  )
}

export function isAllowedInConnection(name: string): boolean {
  return allowed.connection.includes(name)
}

/** @throws CausewayError `profile-configuration/forbidden-directive` unless a block of this name is allowed */
export function requireInlineAllowed(name: string, line: number): void {
  if (!allowed.inline.includes(name)) {
    throw forbidden(name, line)
  }
}

/** Returns the line of a directive. */
export function writeDirective({ name, arguments: words }: Pick<Directive, 'name' | 'arguments'>): string {
  return words.length === 0 ? name : `${name} ${writeWords(words)}`
}

function writeWords(words: readonly string[]): string {
  return words.map((word) => (isBare.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)).join(' ')
}

export function forbidden(
  name: string,
  line: number,
  variant?: VariantOf<'profile-configuration/forbidden-directive'>,
): CausewayError {
  const directive = printable(name)
  return new CausewayError('profile-configuration/forbidden-directive', {
    variant,
    details: { directive, line },
  })
}

export function invalidArgument(
  name: string,
  line: number,
  variant: VariantOf<'profile-configuration/invalid-argument'>,
): CausewayError {
  const directive = printable(name)
  return new CausewayError('profile-configuration/invalid-argument', {
    variant,
    details: { directive, line },
  })
}
