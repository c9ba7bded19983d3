import type { Command } from 'commander'
import { helperStatus, installHelper, removeHelper } from '../../privilege/install-helper'
import { action } from '../context'

const sentences = {
  installed: 'The helper is installed.',
  'other-version': 'A helper of another version is installed. Install this one with: causeway helper install',
  'not-installed': 'The helper is not installed. Install it with: causeway helper install',
} as const

export function addHelperCommands(program: Command): void {
  const helper = program
    .command('helper')
    .description('the part of Causeway with the right to set up a tunnel (Linux and macOS)')
  helper
    .command('install')
    .description('install it, or this version of it; asks for the right to')
    .action(
      action<[object]>(async ({ terminal }) => {
        await installHelper()
        terminal.result({ helper: await helperStatus() }, 'The helper is installed.')
      }),
    )
  helper
    .command('remove')
    .description('remove it; asks for the right to')
    .action(
      action<[object]>(async ({ terminal }) => {
        await removeHelper()
        terminal.result({ helper: await helperStatus() }, 'The helper is removed.')
      }),
    )
  helper
    .command('status')
    .description('whether it is installed, and whether it is this version')
    .action(
      action<[object]>(async ({ terminal }) => {
        const status = await helperStatus()
        terminal.result({ helper: status }, sentences[status])
      }),
    )
}
