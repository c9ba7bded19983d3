/** An entry of XDG autostart, as far as it matters here. */
export interface AutostartEntry {
  /** The user, or a program of the desktop, has switched it off without removing it. */
  readonly switchedOff: boolean
  /** The program with its arguments; empty where none is given. */
  readonly command: readonly string[]
}

/** The text of an entry that runs this command, by the Desktop Entry Specification. */
export function writeAutostartEntry(command: readonly [string, ...string[]]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Causeway',
    'Comment=VPN client',
    // Where the program has been removed since, nothing is started and nothing complains.
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

/** Of the first group only: others are actions. A line ends at a line feed and at no other character (flag `s`). */
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

/** A percent sign begins a field code, in quotes as well. */
function quoteArgument(argument: string): string {
  const plain = argument.replaceAll('%', '%%')
  return /^[\w%+,./:=@-]+$/.test(plain) ? plain : `"${plain.replaceAll(/["`$\\]/g, '\\$&')}"`
}

const escapes: Readonly<Record<string, string>> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** Of every value of type string; quoting comes before. */
function escapeString(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

function unescapeString(text: string): string {
  return text.replaceAll(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole)
}

/** Takes quotes and field codes out; what the user wrote against the rules is read as well as it goes. */
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
