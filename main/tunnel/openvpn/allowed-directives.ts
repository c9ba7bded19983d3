import { z } from 'zod'

import { CausewayError } from '../../errors'
import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import type { Directive } from './configuration-tokenizer'

/**
 * The allow-list of openvpn.md as data, for this program and for a privileged helper: a directive's name, and a POSIX
 * extended regular expression for the whole of its arguments, joined by single spaces.
 *
 * - `keep`: written as it came. `keepOnWindows`, `keepWithUdpOnly`: only there, since OpenVPN refuses it elsewhere.
 * - `rewrite`: may stand in a profile, but what is written is Causeway's own.
 * - `inline`: only as a block, whose content is decoded and written anew.
 * - `drop`: may stand in a profile, and is left out with whatever arguments it has.
 *
 * No expression matches a quotation mark, a backslash, a control character, or a word that begins with `#` or `;`, so
 * that arguments need no quoting and mean to OpenVPN what they mean here.
 */
const allowed = z
  .object({
    keep: z.record(z.string(), z.string()),
    keepOnWindows: z.record(z.string(), z.string()),
    keepWithUdpOnly: z.record(z.string(), z.string()),
    rewrite: z.record(z.string(), z.string()),
    inline: z.array(z.string()),
    drop: z.array(z.string()),
  })
  .parse(table)

const handlings = ['keep', 'keepOnWindows', 'keepWithUdpOnly', 'rewrite'] as const

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
 * What becomes of a directive of a profile, whose arguments match its pattern unless it is dropped.
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
    throw allowed.inline.includes(name)
      ? invalidArgument(name, line, 'must be given inline')
      : forbidden(name, line)
  }
  // A word with a space in it would match like two words.
  if (words.some((word) => word === '' || word.includes(' ')) || !rule.pattern.test(words.join(' '))) {
    throw invalidArgument(name, line, "has arguments that aren't allowed")
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
  return new CausewayError(
    'profile-configuration/forbidden-directive',
    `The profile's configuration uses "${directive}" on line ${line}, which Causeway doesn't allow. Ask the service's administrator to remove it.`,
    { details: { directive, line } },
  )
}

export function invalidArgument(name: string, line: number, what: string): CausewayError {
  const directive = shown(name)
  return new CausewayError(
    'profile-configuration/invalid-argument',
    `"${directive}" on line ${line} of the profile's configuration ${what}. Ask the service's administrator to correct the profile.`,
    { details: { directive, line } },
  )
}

/** The name is a stranger's text: printable and short. */
function shown(name: string): string {
  return name.replace(/[^!-~]/g, '?').slice(0, 40)
}
