import { createProgram } from '../cli/program'

/** Root has to give it before Electron starts at all. */
const forChromium = '--no-sandbox'

/**
 * An installed Causeway is one program for window and terminal: with the name of a command or `--help` among its
 * arguments, as in `causeway status`, it is the terminal command. Returns the arguments of that, or undefined for the
 * window.
 *
 * @param args the arguments without the program, and without the app's path where it runs from source
 */
export function terminalArguments(args: readonly string[], version: string): string[] | undefined {
  const program = createProgram(version)
  const names = ['help', ...program.commands.map((command) => command.name())]
  const takesValue = new Set(program.options.filter(({ required }) => required).map(({ long }) => long ?? ''))
  const first = args.find((arg, index) => !arg.startsWith('-') && !takesValue.has(args[index - 1] ?? ''))
  const asked =
    first === undefined ? args.some((arg) => ['-h', '--help'].includes(arg)) : names.includes(first)
  return asked ? args.filter((arg) => arg !== forChromium) : undefined
}
