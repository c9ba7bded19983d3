import { spawnSync } from 'node:child_process'
import { type Command, InvalidArgumentError } from 'commander'
import { action } from '../context'
import { t } from '../language'

/** Loaded only when needed, because what starts programs takes a tenth of a command's start. */
const installer = () => import('../../privilege/install-helper')

/** Returns the state of the helper, and the program that starts it, if there is one. */
async function currentHelper() {
  const { helperStatus } = await installer()
  const { findHelper } = await import('../../privilege/find-helper')
  return { helper: await helperStatus(), startedBy: (await findHelper())?.elevation }
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
    .command('allow')
    .description(
      'let the members of one more group start the helper without a password (Linux); asks for permission',
    )
    .requiredOption('--group <group>', 'the group', existingGroup)
    .action(
      action<[{ readonly group: string }]>(async ({ terminal }, { group }) => {
        const { allowHelper } = await installer()
        const tested = await allowHelper(group)
        const text = tested ? 'terminal.helper.allowed' : 'terminal.helper.allowedUntested'
        terminal.result({ allowed: group, tested }, t(text, { group }))
      }),
    )
  helper
    .command('deny')
    .description('undo "helper allow" for a group (Linux); asks for permission')
    .requiredOption('--group <group>', 'the group', groupName)
    .action(
      action<[{ readonly group: string }]>(async ({ terminal }, { group }) => {
        const { denyHelper } = await installer()
        await denyHelper(group)
        terminal.result({ denied: group }, t('terminal.helper.denied', { group }))
      }),
    )
  helper
    .command('groups')
    .description('list the groups that "helper allow" has named (Linux); asks for permission')
    .action(
      action<[object]>(async ({ terminal }) => {
        const { allowedGroups } = await installer()
        const groups = await allowedGroups()
        terminal.result(groups, groups.length === 0 ? t('terminal.helper.noGroups') : groups.join('\n'))
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

function groupName(name: string): string {
  // A name that could be something else in a rule is not even looked up.
  if (/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name)) return name
  throw new InvalidArgumentError('There is no group with this name.')
}

function existingGroup(name: string): string {
  // Elsewhere the command says that it isn't supported.
  if (process.platform !== 'linux' || spawnSync('getent', ['group', groupName(name)]).status === 0)
    return groupName(name)
  throw new InvalidArgumentError('There is no group with this name.')
}
