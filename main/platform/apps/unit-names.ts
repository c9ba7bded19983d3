/**
 * Returns the ID of the app that a unit of the user's systemd belongs to, as its desktop entry is called without `.desktop`; undefined
 * for any other unit. Desktops start each app in a unit of its own, and name it as systemd's "Desktop environment integration"
 * says: `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service`. Snaps and programs that the bus starts have names of
 * their own.
 */
export function appOfUnit(unit: string): string | undefined {
  if (unit.length > 255) return undefined
  const [, name = '', kind] = /^(.+)\.(scope|service)$/.exec(unit) ?? []
  const snap = /^snap\.([^.]+)\.([^.]+?)(?:-[\da-f-]{36})?$/.exec(name)
  if (snap !== null) return unescaped(`${snap[1] ?? ''}_${snap[2] ?? ''}`)
  const onBus = /^dbus-:[\d.]+-([^@]+)@\d+$/.exec(name)
  if (onBus !== null && kind === 'service') return unescaped(onBus[1] ?? '')
  const [stem = '', instance] = name.split('@')
  const [prefix, ...parts] = stem.split('-')
  if (prefix !== 'app') return undefined
  // A scope's name ends with what makes it unique; that of a service may, where it isn't an instance of a template.
  const id = kind === 'scope' || (instance === undefined && parts.length === 3) ? parts.at(-2) : parts.at(-1)
  return id === undefined || id === '' || parts.length > 3 ? undefined : unescaped(id)
}

/** Undoes systemd's escapes; undefined for what isn't UTF-8. */
function unescaped(text: string): string | undefined {
  const bytes = Buffer.from(
    text.replaceAll(/\\x([\da-f]{2})|([^\p{ASCII}])/giu, (_, code: string | undefined, other: string) =>
      code === undefined
        ? Buffer.from(other).toString('latin1')
        : String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  )
  const id = bytes.toString('utf8')
  return bytes.equals(Buffer.from(id)) && !/[\p{Cc}/]/u.test(id) ? id : undefined
}
