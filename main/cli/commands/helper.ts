import type { Command } from 'commander'
import { helperStatus, installHelper, removeHelper } from '../../privilege/install-helper'
import { action } from '../context'

const sentences = {
  installed: 'The helper is installed.',
  'other-version':
    "The installed helper belongs to another version. To install this version's helper, run: causeway helper install",
  'not-installed': "The helper isn't installed. To install it, run: causeway helper install",
} as const

export function addHelperCommands(program: Command): void {
  const helper = program
    .command('helper')
    .description('manage the privileged helper that sets up tunnels (Linux and macOS)')
  helper
    .command('install')
    .description('install or update the helper; asks for permission')
    .action(
      action<[object]>(async ({ terminal }) => {
        await installHelper()
        terminal.result({ helper: await helperStatus() }, 'The helper is installed.')
      }),
    )
  helper
    .command('remove')
    .description('remove the helper; asks for permission')
    .action(
      action<[object]>(async ({ terminal }) => {
        await removeHelper()
        terminal.result({ helper: await helperStatus() }, 'The helper has been removed.')
      }),
    )
  helper
    .command('status')
    .description('show whether the helper is installed and belongs to this version')
    .action(
      action<[object]>(async ({ terminal }) => {
        const status = await helperStatus()
        terminal.result({ helper: status }, sentences[status])
      }),
    )
}
