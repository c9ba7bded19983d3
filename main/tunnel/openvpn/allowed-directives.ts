import { z } from 'zod'

import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'
import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import type { Directive } from './configuration-tokenizer'

/**
 * The allow-list of openvpn.md as data, shared with the privileged helper: the name of a directive, and a POSIX extended
 * regular expression for all its arguments, joined by single spaces.
 *
 * - `keep`: written unchanged. `keepOnLinux`, `keepOnWindows`, `keepWithUdpOnly`: only there, because OpenVPN rejects it
 *   elsewhere.
 * - `rewrite`: allowed in a profile, but replaced by Causeway's own.
 * - `inline`: only as a block, whose content is decoded and written again.
 * - `drop`: allowed in a profile, and left out with any arguments.
 *
 * No expression matches a quotation mark, a backslash, a control character, or a word that starts with `#` or `;`, so that
 * arguments need no quoting and OpenVPN reads them the same way.
 */
const allowed = z
  .object({
    keep: z.record(z.string(), z.string()),
    keepOnLinux: z.record(z.string(), z.string()),
    keepOnWindows: z.record(z.string(), z.string()),
    keepWithUdpOnly: z.record(z.string(), z.string()),
    rewrite: z.record(z.string(), z.string()),
    inline: z.array(z.string()),
    drop: z.array(z.string()),
  })
  .parse(table)

const handlings = ['keep', 'keepOnLinux', 'keepOnWindows', 'keepWithUdpOnly', 'rewrite'] as const

export type Handling = (typeof handlings)[number] | 'drop'

interface Rule {
  readonly handling: (typeof handlings)[number]
  readonly pattern: RegExp
}

const rules = new Map<string, Rule>(
  handlings.flatMap((handling) =>
    Object.entries(allowed[handling]).map(([name, expression]) => [
      name,
      { handling, pattern: new RegExp(`^(?:${expression})$`) },
    ]),
  ),
)

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
  // A word that contains a space would match like two words.
  if (words.some((word) => word === '' || word.includes(' ')) || !rule.pattern.test(words.join(' '))) {
    throw invalidArgument(name, line, 'arguments')
  }
  return rule.handling
}

/** @throws CausewayError `profile-configuration/forbidden-directive` unless a block of this name is allowed */
export function requireInlineAllowed(name: string, line: number): void {
  if (!allowed.inline.includes(name)) {
    throw forbidden(name, line)
  }
}

function forbidden(name: string, line: number): CausewayError {
  const directive = shown(name)
  return new CausewayError('profile-configuration/forbidden-directive', { details: { directive, line } })
}

export function invalidArgument(
  name: string,
  line: number,
  variant: VariantOf<'profile-configuration/invalid-argument'>,
): CausewayError {
  const directive = shown(name)
  return new CausewayError('profile-configuration/invalid-argument', {
    variant,
    details: { directive, line },
  })
}

/** Makes an untrusted name printable and short. */
function shown(name: string): string {
  return name.replace(/[^!-~]/g, '?').slice(0, 40)
}
