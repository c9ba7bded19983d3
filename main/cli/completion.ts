import type { Argument, Command, Option } from 'commander'
import { apiVersions } from '../../contract/choices'
import { languageNames } from '../../contract/locales/languages'
import { allowedValues, settingName, type SettingName } from '../../contract/settings'
import { valuesCommand } from './complete-values'

/** What a word can be: one of a list, a file, or what `complete-values` knows; nothing for a text of the user's own. */
type Kind = readonly string[] | 'file' | 'profile' | 'instance' | 'group' | undefined

/** A command that can be typed. */
interface Entry {
  /** Its words after `causeway`. */
  readonly path: string
  /** Its commands and options. */
  readonly next: readonly Described[]
  readonly options: readonly (readonly [word: string, kind: Kind])[]
  /** What its arguments are; the last is repeated if `repeats`. */
  readonly arguments: readonly Kind[]
  readonly repeats: boolean
}

interface Described {
  readonly word: string
  readonly about: string
}

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/**
 * Returns the script that completes `program` in a shell: commands, options and their values. Only profiles, instances and groups are
 * asked of `causeway complete-values`; all other words are in the script, which starts no program.
 */
export function completionScript(program: Command, shell: Shell): string {
  const script = { bash, zsh, fish }[shell]
  return script(program.name(), entriesOf(program, ''))
}

function entriesOf(command: Command, path: string): Entry[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const settings = path === 'settings set' ? settingsOf(path) : []
  const own = help.visibleOptions(command)
  return [
    {
      path,
      next: [
        ...commands.map((each) => ({ word: each.name(), about: each.description() })),
        ...settings.map(({ path: words }) => ({ word: words.slice(path.length + 1), about: '' })),
        ...[...own, ...(path === '' ? [] : globalOptions(command))].map(({ long, description }) => ({
          word: long ?? '',
          about: description,
        })),
      ].filter(({ word }) => word !== ''),
      options: own.flatMap((option) =>
        option.required || option.optional ? [[option.long ?? '', kindOf(option)] as const] : [],
      ),
      arguments:
        path === 'settings get'
          ? [settingName.options]
          : settings.length > 0
            ? []
            : command.registeredArguments.map(kindOf),
      repeats: command.registeredArguments.at(-1)?.variadic === true,
    },
    ...settings,
    ...commands
      .filter((each) => each.name() !== 'help')
      .flatMap((each) => entriesOf(each, `${path} ${each.name()}`.trim())),
  ]
}

function globalOptions(command: Command): readonly Option[] {
  let top = command
  while (top.parent !== null) top = top.parent
  return top.options.filter(({ hidden, long }) => !hidden && long !== '--version')
}

/** The settings as commands, whose argument is one of their values. */
function settingsOf(path: string): Entry[] {
  return settingName.options.map((name) => {
    const kind =
      name === 'openvpnPath' ? 'file' : [...valuesOf(name), ...(name === 'language' ? languages : [])]
    return { path: `${path} ${name}`, next: [], options: [], arguments: [kind], repeats: false }
  })
}

const languages = Object.keys(languageNames)

/** The values of options that parse their own. */
const listed: Readonly<Record<string, readonly string[]>> = {
  '--lang': languages,
  '--remote-strategy': valuesOf('remoteStrategy'),
  '--api': apiVersions.map(String),
}

function valuesOf(name: SettingName): readonly string[] {
  return allowedValues(name, () => '').filter((value) => value !== '')
}

function kindOf(word: Argument | Option): Kind {
  if (word.argChoices !== undefined) return word.argChoices
  const isOption = 'flags' in word
  const known = isOption ? listed[word.long ?? ''] : undefined
  if (known !== undefined) return known
  if (isOption && word.long === '--group') return 'group'
  switch (isOption ? /[<[](\w+)/.exec(word.flags)?.[1] : word.name()) {
    case 'profile':
      return 'profile'
    case 'instance':
      return 'instance'
    case 'file':
    case 'dir':
    case 'path':
      return 'file'
    case undefined:
    default:
      return undefined
  }
}

/** Returns a kind as the scripts write it: the words of a list after `=`. */
function written(kind: Kind): string {
  return kind === undefined || typeof kind === 'string' ? (kind ?? '') : `=${kind.join(' ')}`
}

/** Puts a text in single quotes for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns what each option with a value expects, by its command and itself; the shared ones by itself. */
function optionKinds(entries: readonly Entry[]): Map<string, string> {
  return new Map(
    entries.flatMap(({ path, options }) =>
      options.map(([word, kind]) => [`${path} ${word}`.trim(), written(kind)] as const),
    ),
  )
}

/** Returns what each argument is, by its command and its number from 0; `*` for all later ones. */
function argumentKinds(entries: readonly Entry[]): Map<string, string> {
  return new Map(
    entries.flatMap(({ path, arguments: kinds, repeats }) =>
      kinds.map((kind, index) => {
        const number = repeats && index === kinds.length - 1 ? '*' : String(index)
        return [`${path} ${number}`.trim(), written(kind)] as const
      }),
    ),
  )
}

/** Returns the branches of a `case`, one for all patterns with the same commands. */
function cases(branches: Iterable<readonly [pattern: string, commands: string]>): string {
  const patterns = new Map<string, string[]>()
  for (const [pattern, commands] of branches)
    patterns.set(commands, [...(patterns.get(commands) ?? []), pattern])
  return [...patterns].map(([commands, each]) => `    ${each.join('|')}) ${commands} ;;`).join('\n')
}

/** Quotes a pattern except for a final `*`. */
function pattern(text: string): string {
  return text.endsWith('*') ? `${quoted(text.slice(0, -1))}*` : quoted(text)
}

/** Functions for bash and zsh: both find out in the same way what the word at the cursor can be. */
function posix(
  name: string,
  entries: readonly Entry[],
  words: (next: readonly Described[]) => string,
): string {
  const answers = (kinds: Map<string, string>) =>
    cases([...kinds].map(([key, kind]) => [pattern(key), `kind=${quoted(kind)}`] as const))
  return `# What the option $1 of the command $place expects; fails if it expects nothing.
_${name}_option() {
  case "\${place:+$place }$1" in
${answers(optionKinds(entries))}
    *' '*) [ -n "$place" ] && { local place=; _${name}_option "$1"; } ;;
    *) return 1 ;;
  esac
}
# What the argument number $1 of the command $place is.
_${name}_argument() {
  kind=
  case "\${place:+$place }$1" in
${answers(argumentKinds(entries))}
  esac
}
# The commands and options after $place.
_${name}_words() {
  case "$place" in
${cases(entries.map(({ path, next }) => [quoted(path), words(next)] as const))}
  esac
}
# Reads the words before the cursor; leaves $place, and in $kind what comes next.
_${name}_read() {
  local word pending= count=0
  place= kind=
  for word in "$@"; do
    if [ -n "$pending" ]; then pending= kind=; continue; fi
    case "$word" in
      --*=*) ;;
      -*) if _${name}_option "$word"; then pending=1; fi ;;
      *)
        case "\${place:+$place }$word" in
          ${entries.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|')}) place="\${place:+$place }$word" ;;
          *) count=$((count + 1)) ;;
        esac ;;
    esac
  done
  [ -n "$pending" ] || case "$current" in
    --*=*) _${name}_option "\${current%%=*}" && current="\${current#*=}" pending=1 ;;
    -*) kind= ;;
    *) _${name}_argument "$count" ;;
  esac
  value=$pending
}
`
}

function bash(name: string, entries: readonly Entry[]): string {
  const words = (next: readonly Described[]) => `words=${quoted(next.map(({ word }) => word).join('\n'))}`
  return `# bash completion for ${name}
${posix(name, entries, words)}
_${name}() {
  local line="\${COMP_LINE:0:COMP_POINT}" place= kind= value= words= current= self= word= about= cut=
  local -a typed
  # Bash has split at colons and equals signs, which an address has too.
  read -ra typed <<< "$line"
  self="\${typed[0]/#\\~/$HOME}"
  case "$line" in
    *[[:space:]]) ;;
    *) current="\${typed[\${#typed[@]}-1]}"; unset "typed[\${#typed[@]}-1]" ;;
  esac
  typed=("\${typed[@]:1}")
  _${name}_read "\${typed[@]}"
  COMPREPLY=()
  case "$kind" in
    file)
      compopt -o default 2>/dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      return ;;
    '='*) words="\${kind#=}"; words="\${words// /$'\\n'}" ;;
    profile|instance|group) words="$("$self" ${valuesCommand} "$kind" "\${typed[@]}" 2>/dev/null </dev/null)" ;;
    *) if [ -z "$value" ]; then _${name}_words; fi ;;
  esac
  # What follows the last of these characters replaces the word.
  case "$current" in *[:=]*) cut="\${current%"\${current##*[:=]}"}" ;; esac
  while IFS=$'\\t' read -r word about; do
    # Never through compgen -W, which would run what a service put into a name.
    if [ -n "$word" ] && [ "\${word:0:\${#current}}" = "$current" ]; then
      printf -v word %q "$word"
      COMPREPLY+=("\${word#"$cut"}")
    fi
  done <<< "$words"
}
complete -F _${name} ${name}
`
}

function zsh(name: string, entries: readonly Entry[]): string {
  const words = (next: readonly Described[]) =>
    `offered=(${next.map(({ word, about }) => quoted(`${word}\t${about}`)).join(' ')})`
  return `#compdef ${name}
${posix(name, entries, words)}
_${name}() {
  local place='' self="\${words[1]}" current="\${(Q)words[CURRENT]}" kind='' value='' line
  local -a offered typed names shown
  typed=("\${(@Q)words[2,CURRENT-1]}")
  _${name}_read "\${typed[@]}"
  case "$kind" in
    file) [[ "$PREFIX" == --*=* ]] && compset -P '*='; _files; return ;;
    '='*) offered=(\${(s: :)kind#=}) ;;
    profile|instance|group) offered=("\${(@f)$("\${~self}" ${valuesCommand} "$kind" "\${typed[@]}" 2>/dev/null </dev/null)}") ;;
    *) if [ -z "$value" ]; then _${name}_words; fi ;;
  esac
  [[ "$PREFIX" == --*=* ]] && compset -P '*='
  for line in "\${offered[@]}"; do
    [ -n "$line" ] || continue
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  compadd -l -d shown -a names
}
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

function fish(name: string, entries: readonly Entry[]): string {
  const test = (kinds: Map<string, string>) =>
    cases([...kinds].map(([key, kind]) => [quoted(key), `echo ${quoted(kind)}`] as const)).replaceAll(
      /^ {4}(.*?)\) (echo .*) ;;$/gm,
      (_, keys: string, echo: string) => `    case ${keys.replaceAll("'|'", "' '")}\n      ${echo}`,
    )
  const paths = entries.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]))
  return `# fish completion for ${name}
function __${name}_option
  switch "$argv"
${test(optionKinds(entries))}
    case '* *'
      __${name}_option (string split ' ' -- $argv)[-1]
    case '*'
      return 1
  end
end
function __${name}_argument
  switch "$argv"
${test(argumentKinds(entries))}
  end
end
function __${name}_words
  switch "$argv"
${entries.map(({ path, next }) => `    case ${quoted(path)}\n${next.map(({ word, about }) => `      printf '%s\\t%s\\n' ${quoted(word)} ${quoted(about)}`).join('\n')}`).join('\n')}
  end
end
function __${name}_offer
  set -l typed (commandline -opc)
  set -l self $typed[1]
  set -e typed[1]
  set -l current (commandline -ct)
  set -l path
  set -l count 0
  set -l pending
  set -l kind
  for word in $typed
    if set -q pending[1]
      set pending
      continue
    end
    switch "$word"
      case '--*=*'
      case '-*'
        set kind (__${name}_option $path $word); and set pending yes
      case '*'
        if contains -- (string join ' ' -- $path $word) ${paths.join(' ')}
          set path $path $word
        else
          set count (math $count + 1)
        end
    end
  end
  set -l before ''
  if not set -q pending[1]
    switch "$current"
      case '--*=*'
        set before (string replace -r '=.*' '=' -- $current)
        set kind (__${name}_option $path (string replace -r '=.*' '' -- $current)); and set pending yes
      case '-*'
        set kind
      case '*'
        set kind (__${name}_argument $path $count)
        or set kind
    end
  end
  switch "$kind"
    case file
      __fish_complete_path (string replace -- "$before" '' $current)
    case '=*'
      string replace -r '^' -- "$before" (string split ' ' -- (string sub -s 2 -- $kind))
    case profile instance group
      string replace -r '^' -- "$before" ($self ${valuesCommand} $kind $typed 2>/dev/null)
    case '*'
      set -q pending[1]; or __${name}_words "$path"
  end
end
complete -c ${name} -f -a '(__${name}_offer)'
`
}
