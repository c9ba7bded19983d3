/** Returns JSON with its placeholders filled: `{name}` alone is the value itself. Fields without one are left out. */
export function filled(template: unknown, values: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(template), (_key, text: unknown) => {
    if (typeof text !== 'string') return text
    const whole = /^\{(\w+)\}$/.exec(text)?.[1]
    return whole === undefined
      ? text.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name]))
      : values[whole]
  })
}
