import type { Command } from 'commander'
import { action } from '../context'
import { t } from '../language'

/** Loaded only when needed, because what starts programs takes a tenth of a command's start. */
const installer = () => import('../../privilege/install-helper')

export function addHelperCommands(program: Command): void {
  const helper = program
    .command('helper')
    .description('manage the privileged helper that sets up tunnels (Linux and macOS)')
  helper
    .command('install')
    .description('install or update the helper; asks for permission')
    .action(
      action<[object]>(async ({ terminal }) => {
        const { helperStatus, installHelper } = await installer()
        await installHelper()
        terminal.result({ helper: await helperStatus() }, t('terminal.helper.installed'))
      }),
    )
  helper
    .command('remove')
    .description('remove the helper; asks for permission')
    .action(
      action<[object]>(async ({ terminal }) => {
        const { helperStatus, removeHelper } = await installer()
        await removeHelper()
        terminal.result({ helper: await helperStatus() }, t('terminal.helper.removed'))
      }),
    )
  helper
    .command('status')
    .description('show whether the helper is installed and belongs to this version')
    .action(
      action<[object]>(async ({ terminal }) => {
        if (process.platform === 'win32') {
          terminal.result({ helper: 'not-needed' }, t('terminal.helper.windows'))
          return
        }
        const { helperStatus } = await installer()
        const status = await helperStatus()
        terminal.result({ helper: status }, t(`terminal.helper.${status}`))
      }),
    )
}
