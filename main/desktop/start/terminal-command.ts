import { createProgram } from '../../cli/program'
import { isLikeCommand } from './maybe-terminal'

/** The Chromium switch that root needs to start Electron. */
const chromiumSwitch = '--no-sandbox'

/**
 * Returns the arguments for the terminal command, or undefined for the window. An installed Causeway is one program for both:
 * with a word like a command name, as in `causeway status`, or with `--help`, it's the terminal command, which also reports a
 * mistyped name. `causeway app` is the window. On Linux, build/linux/causeway decides the same.
 *
 * @param args the arguments without the program and, from source, without the app's path
 */
export function terminalArguments(args: readonly string[], version: string): string[] | undefined {
  const program = createProgram(version)
  const takesValue = new Set(program.options.filter(({ required }) => required).map(({ long }) => long ?? ''))
  const first = args.find((arg, index) => !arg.startsWith('-') && !takesValue.has(args[index - 1] ?? ''))
  const isCommand =
    first === undefined
      ? args.some((arg) => ['-h', '--help'].includes(arg))
      : isLikeCommand(first) && first !== 'app'
  return isCommand ? args.filter((arg) => arg !== chromiumSwitch) : undefined
}
