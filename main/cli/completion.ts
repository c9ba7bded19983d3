import type { Command } from 'commander'

/** A command that can be typed: its words after `causeway`, and what may follow. */
interface Entry {
  readonly path: string
  readonly next: readonly { readonly word: string; readonly about: string }[]
}

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Returns the script that completes the commands and options of `program` in a shell. Completes file names if nothing else matches. */
export function completionScript(program: Command, shell: Shell): string {
  const entries = entriesOf(program, '')
  switch (shell) {
    case 'bash':
      return bash(program.name(), entries)
    case 'zsh':
      return zsh(program.name(), entries)
    case 'fish':
      return fish(program.name(), entries)
  }
}

function entriesOf(command: Command, path: string): Entry[] {
  const commands = command.createHelp().visibleCommands(command)
  const options = command.createHelp().visibleOptions(command)
  const next = [
    ...commands.map((each) => ({ word: each.name(), about: each.description() })),
    ...options.map(({ long, description }) => ({ word: long ?? '', about: description })),
    ...(path === '' ? [] : globalOptions(command)),
  ].filter(({ word }) => word !== '')
  return [
    { path, next },
    ...commands
      .filter((each) => each.name() !== 'help')
      .flatMap((each) => entriesOf(each, `${path} ${each.name()}`.trim())),
  ]
}

function globalOptions(command: Command): Entry['next'] {
  let top = command
  while (top.parent !== null) top = top.parent
  return top.options
    .filter(({ hidden, long }) => !hidden && long !== '--version')
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
}

/** Puts a text in single quotes for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function bash(name: string, entries: readonly Entry[]): string {
  const paths = entries.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  const words = entries.map(
    ({ path, next }) => `    ${quoted(path)}) words=${quoted(next.map(({ word }) => word).join(' '))} ;;`,
  )
  return `# bash completion for ${name}
_${name}() {
  local path= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${words.join('\n')}
  esac
  # The words have no spaces; bash 3.2, which macOS has, knows no mapfile.
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`
}

function zsh(name: string, entries: readonly Entry[]): string {
  const paths = entries.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  const words = entries.map(({ path, next }) => {
    const described = next.map(({ word, about }) => quoted(`${word.replaceAll(':', '\\:')}:${about}`))
    return `    ${quoted(path)}) candidates=(${described.join(' ')}) ;;`
  })
  return `#compdef ${name}
_${name}() {
  local typed='' word
  local -a words_before=("\${words[@]:1:$((CURRENT - 2))}")
  for word in "\${words_before[@]}"; do
    case "\${typed:+$typed }$word" in
      ${paths.join('|')}) typed="\${typed:+$typed }$word" ;;
    esac
  done
  local -a candidates
  case "$typed" in
${words.join('\n')}
  esac
  _describe '${name}' candidates || _files
}
_${name} "$@"
`
}

function fish(name: string, entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ path, next }) =>
    next.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${quoted(word.slice(2))}` : `-f -a ${quoted(word)}`
      return `complete -c ${name} -n ${quoted(`__${name}_at ${quoted(path)}`)} ${what} -d ${quoted(about)}`
    }),
  )
  const paths = entries.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  return `# fish completion for ${name}
function __${name}_at
  set -l typed
  for word in (commandline -opc)[2..]
    if contains -- (string join ' ' $typed $word) ${paths.join(' ')}
      set typed $typed $word
    end
  end
  # An empty substitution would be no word at all.
  set -l path (string join ' ' $typed)
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}
