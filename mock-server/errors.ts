/**
 * Returns a field of an error. Tests `message` and `code` instead of the class: in Jest, errors of Node's own modules are
 * no instances of the `Error` that tests and libraries see.
 */
function textOf(error: unknown, name: 'code' | 'message'): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === 'string' ? value : undefined
}

export const codeOf = (error: unknown): string | undefined => textOf(error, 'code')

export const messageOf = (error: unknown): string => textOf(error, 'message') ?? String(error)
