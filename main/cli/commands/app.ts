import type { Command } from 'commander'
import { appOnlyOptions } from '../global-options'

/**
 * Lists `causeway app` among the commands. An installed Causeway opens the window before it gets here (build/linux/causeway,
 * main/desktop/start/terminal-command.ts).
 */
export function addAppCommand(program: Command): void {
  const app = program.command('app').description('open the window')
  for (const option of Object.entries(appOnlyOptions)) app.option(...option)
  app.action((_options: object, command: Command) => {
    command.error('error: Only an installed Causeway opens the window this way. From source, run: npm start')
  })
}
