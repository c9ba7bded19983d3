import secrets from '../../../helper/log-secrets.json' with { type: 'json' }

const replacements = secrets.map(([expression = '', replacement = '']) => ({
  pattern: new RegExp(expression, 'g'),
  replacement,
}))

/** Returns a line of OpenVPN's log without keys and tokens, as the helper writes it. */
export function withoutKeyMaterial(line: string): string {
  return replacements.reduce((text, { pattern, replacement }) => text.replace(pattern, replacement), line)
}
