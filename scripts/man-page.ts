import { gzipSync } from 'node:zlib'
import type { Command } from 'commander'
import { completionScript, shells } from '../main/cli/completion'
import { createProgram } from '../main/cli/program'
import packageJson from '../package.json' with { type: 'json' }

/** Returns the manual page of a command in the language of `man`, section 1. */
export function manPage(program: Command, version: string): string {
  const name = program.name()
  return `${[
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '[\\fIoptions\\fR] \\fIcommand\\fR',
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...commandsOf(program, ''),
    '.SH ENVIRONMENT',
    escaped(
      'Every option is also a variable: --data-dir is CAUSEWAY_DATA_DIR. The variable of an option without a value turns it on unless it is empty, 0 or false.',
    ),
    '.SH FILES',
    ...entries(files),
    '.SH EXAMPLES',
    ...entries(examples),
    '.SH EXIT STATUS',
    ...entries(exitStatuses),
    '.SH SEE ALSO',
    '.BR openvpn (8),\n.BR nft (8),\n.BR pkexec (1)',
  ].join('\n')}\n`
}

const files: readonly (readonly [string, string])[] = [
  [
    '~/.config/causeway',
    'settings, services and the last answers of services; --data-dir names another folder',
  ],
  ['~/.config/causeway/logs/causeway.log', 'the log, without secrets; causeway log shows it'],
  [
    '/etc/causeway/policy.json',
    "the administrator's policy; causeway policy check tells what is wrong with one",
  ],
  ['/usr/libexec/causeway/causeway-helper', 'the privileged helper; causeway helper install puts it there'],
  ['/var/lib/causeway', 'what the helper has to undo after a crash'],
]

const examples: readonly (readonly [string, string])[] = [
  ['causeway instance add vpn.example.org', 'add a service'],
  [
    'causeway connect office',
    'log in if needed, connect to the profile office, and stay connected until Ctrl-C',
  ],
  ['causeway connect office --detach', 'stay connected in the background, until causeway disconnect'],
  ['causeway login --no-browser', 'log in over ssh, with the browser of another computer'],
  ['causeway status --json', 'print the state for a script'],
  ['causeway doctor', 'check what is missing on this computer, and how to fix it'],
]

const exitStatuses: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'wrong usage'],
  ['3', 'you have to log in, or the login was refused'],
  ['4', 'not reachable'],
  ['5', 'the server refused'],
  ['6', "the server's answer doesn't match the specification"],
  ['7', 'OpenVPN is missing, not permitted, or failed'],
  ['130', 'a signal or another process ended connect before it was up, or a signal ended a start'],
  ['137', 'killed after its message, because a disk or a key store gave no answer'],
]

function entries(list: readonly (readonly [string, string])[]): string[] {
  return list.flatMap(([name, meaning]) => ['.TP', `.B ${escaped(name)}`, escaped(meaning)])
}

function commandsOf(command: Command, path: string): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
    .flatMap((each) => {
      const words = `${path} ${each.name()}`.trim()
      const usage = each.createHelp().commandUsage(each)
      return [
        `.SS ${escaped(words)}`,
        escaped(usage),
        '.br',
        escaped(each.description()),
        ...optionsOf(each),
        ...commandsOf(each, words),
      ]
    })
}

function optionsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .flatMap(({ flags, description }) => ['.TP', `.B ${escaped(flags)}`, escaped(description)])
}

/** Escapes what roff would read as a command or change: backslashes, hyphens, and dots or quotes at the start of a line. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
}

/** Returns the manual page, compressed, and the completions for the packages, by their file names. */
export function commandFiles(): Readonly<Record<string, string | Buffer>> {
  const program = createProgram(packageJson.version)
  return {
    'causeway.1.gz': gzipSync(manPage(program, packageJson.version), { level: 9 }),
    ...Object.fromEntries(shells.map((shell) => [`completion.${shell}`, completionScript(program, shell)])),
  }
}
