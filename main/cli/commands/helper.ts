import type { Command } from 'commander'
import { action } from '../context'
import { t } from '../language'

/** Loaded only when needed, because what starts programs takes a tenth of a command's start. */
const installer = () => import('../../privilege/install-helper')

/** Returns the state of the helper, and the program that starts it, if there is one. */
async function currentHelper() {
  const { helperStatus } = await installer()
  const { findHelper } = await import('../../privilege/find-helper')
  const startedBy = (await findHelper())?.elevation
  return { helper: await helperStatus(), ...(startedBy !== undefined && { startedBy }) }
}

export function addHelperCommands(program: Command): void {
  const helper = program
    .command('helper')
    .description('manage the privileged helper that sets up tunnels (Linux and macOS)')
  helper
    .command('install')
    .description('install or update the helper; asks for permission')
    .action(
      action<[object]>(async ({ terminal }) => {
        const { installHelper } = await installer()
        await installHelper()
        terminal.result(await currentHelper(), t('terminal.helper.installed'))
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
        const status = await currentHelper()
        const { helper, startedBy } = status
        terminal.result(
          status,
          [
            t(`terminal.helper.${helper}`),
            ...(startedBy === undefined ? [] : [t(`terminal.helper.startedBy.${startedBy}`)]),
          ].join('\n'),
        )
      }),
    )
}
