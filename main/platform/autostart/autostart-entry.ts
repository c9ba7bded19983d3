/** The relevant fields of an XDG autostart entry. */
interface AutostartEntry {
  /** True if the user, or a program of the desktop, disabled the entry without removing it. */
  readonly switchedOff: boolean
  /** The program with its arguments; empty if missing. */
  readonly command: readonly string[]
}

/** Returns an entry that runs this command (Desktop Entry Specification). */
export function writeAutostartEntry(command: readonly [string, ...string[]]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Causeway',
    'Comment=VPN client',
    // If the program is removed later, the desktop starts nothing and reports no error.
    `TryExec=${escapeString(command[0])}`,
    `Exec=${escapeString(command.map(quoteArgument).join(' '))}`,
    'Icon=causeway',
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

export function readAutostartEntry(text: string): AutostartEntry {
  const keys = keysOf(text)
  const isProgram = keys.get('Type') === 'Application'
  return {
    switchedOff: keys.get('Hidden') === 'true' || keys.get('X-GNOME-Autostart-enabled') === 'false',
    command: isProgram ? splitCommand(unescapeString(keys.get('Exec') ?? '')) : [],
  }
}

/** Returns the keys of the first group; other groups are actions. A line ends only at a line feed (flag `s`). */
function keysOf(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  let group = ''
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\[(.*)\]\s*$/.exec(line)
    if (heading !== null) group = heading[1] ?? ''
    const [, key, value] = /^([A-Za-z0-9-]+)\s*=\s*(.*?)\s*$/s.exec(line) ?? []
    if (group === 'Desktop Entry' && key !== undefined && value !== undefined) keys.set(key, value)
  }
  return keys
}

/** Quotes an argument. A percent sign starts a field code, also inside quotes. */
function quoteArgument(argument: string): string {
  const plain = argument.replaceAll('%', '%%')
  return /^[\w%+,./:=@-]+$/.test(plain) ? plain : `"${plain.replaceAll(/["`$\\]/g, '\\$&')}"`
}

const escapes: Readonly<Record<string, string>> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** Escapes a value of type string, after quoting. */
function escapeString(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

function unescapeString(text: string): string {
  return text.replaceAll(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole)
}

/** Removes quotes and field codes; tolerates entries that violate the specification. */
function splitCommand(text: string): string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\[^])*"|[^\s"])+/g) ?? []
  return words
    .map((word) =>
      word
        .replaceAll(/"((?:[^"\\]|\\[^])*)"/g, (_, quoted: string) => quoted.replaceAll(/\\(["`$\\])/g, '$1'))
        .replaceAll(/%(.)/g, (_, letter: string) => (letter === '%' ? '%' : '')),
    )
    .filter((word, index) => word !== '' || words[index] === '""')
}
