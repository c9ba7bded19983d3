import type { ChildProcess } from 'node:child_process'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { appsOf, type ListedApp } from '../../../contract/apps'
import { appsModes } from '../../../contract/choices'
import type { ConnectionState } from '../../../contract/connection'
import { terminalLine } from '../../../contract/safe-text'
import { vpnDevices } from '../../app/diagnostics/computer-findings'
import { CausewayError } from '../../errors'
import { requireSide } from '../../commands/require-side'
import type { Instance } from '../../portal/instance/instance'
import { standInFor } from '../../platform/apps/run-in-slice'
import type { Context } from '../command-context'
import { action, withInstance } from '../context'
import { notMoved } from '../describe-connection'
import { t } from '../language'
import { namedProfile, onlyProfile } from '../profile-name'
import { table } from '../terminal'

type Side = 'outside' | 'inside'

/** Adds the commands that say which apps use the VPN, and that start a program outside or inside it. */
export function addAppsCommands(program: Command): void {
  addList(program)
  for (const side of ['outside', 'inside'] as const) {
    program
      .command(side)
      .description(`start a program ${side} the VPN, or move a running one (Linux)`)
      .argument('[command...]', 'after --: the program and its arguments')
      .option('--pid <pid>', 'move this running program of yours instead', processId)
      .action(async (words: string[], options: PidOption, command: Command) => {
        let started: ChildProcess | undefined
        await action<[string[], PidOption]>(async (context, [first, ...rest], { pid }) => {
          if ((first === undefined) === (pid === undefined))
            throw new CausewayError('usage/invalid-argument', { variant: 'command-or-pid' })
          await explain(context, side)
          const { apps } = context.services
          if (first !== undefined) started = await apps.start(side, [first, ...rest])
          else if (pid !== undefined) {
            await apps.move(side, pid)
            context.terminal.result({ pid, side }, t(`terminal.apps.moved.${side}`, { pid }))
          }
        })(words, options, command)
        // This process has nothing else to do, and its signals are the program's.
        if (started !== undefined) await standInFor(started)
      })
  }
}

function addList(program: Command): void {
  const apps = program.command('apps').description('choose the apps that use the VPN, or do not (Linux)')

  apps
    .command('list')
    .description('list the chosen apps')
    .option('--all', 'list all installed apps, to choose from')
    .action(
      action<[{ readonly all?: true }]>(async (context, { all }) => {
        const { services, terminal } = context
        const { here, apps: known, networkNames } = await context.run('listApps', undefined)
        const { appsMode: mode, appsNames } = await services.settings.all()
        const profiles = await modesOfProfiles(services)
        const shown = known.filter(({ listed }) => all === true || listed)
        const split = splitOf(await connectionOf(context))
        const running = split?.running ?? []
        // While apps are divided, the servers of the network aren't to be seen.
        const asksInVain = appsNames === 'network' && !networkNames && split === undefined
        terminal.result(
          {
            mode,
            here,
            names: appsNames,
            networkNames,
            running,
            profiles,
            apps: shown.map(({ id, name, listed }) => ({ id, name, listed })),
          },
          [
            t(`terminal.apps.mode.${mode}`),
            ...profiles.map((each) => modeText(each.profileId, each.mode)),
            ...(asksInVain
              ? [
                  `${t('settings.appsNames.label')}: ${t('settings.appsNames.network')}. ${t('settings.appsNames.noEffect')}`,
                ]
              : []),
            ...(here === 'available' ? [] : [t(`settings.apps.missing.${here}`)]),
            ...notMoved(split),
            ...(shown.length === 0 ? [] : [appTable(shown, running)]),
          ].join('\n'),
        )
      }),
    )

  for (const [name, listed] of [
    ['add', true],
    ['remove', false],
  ] as const) {
    apps
      .command(name)
      .description(listed ? 'put an app into the list' : 'take an app out of the list')
      .argument('<app>', "the app's ID or name, or a program's path")
      .action(
        action<[string, object]>(async (context, text) => {
          const { services, terminal } = context
          const list = appsOf((await services.settings.all()).apps)
          // One that isn't installed any more can still be taken out.
          const app =
            !listed && list.includes(text) ? text : await services.apps.find(text, await context.languages())
          await context.run('setApp', { app, listed })
          terminal.result(
            { app, listed },
            t(listed ? 'terminal.apps.added' : 'terminal.apps.removed', { app: terminalLine(app) }),
          )
        }),
      )
  }

  withInstance(apps.command('mode'))
    .description('choose what the list means')
    .addArgument(
      new Argument(
        '<mode>',
        'all: every app uses the VPN; except: all but the listed ones; only: the listed ones alone; default: for a profile, what is chosen for all',
      ).choices([...appsModes, 'default']),
    )
    .option('--profile <profile>', 'only for this profile: its ID or name')
    .action(action<[ModeChoice, ModeOptions]>(chooseMode))
}

type AppsMode = (typeof appsModes)[number]
type ModeChoice = AppsMode | 'default'

interface ModeOptions {
  readonly profile?: string
  readonly instance?: string
}

/** Returns what the user chose for profiles, unless an administrator chose for all of them. */
async function modesOfProfiles({
  settings,
  profileChoices,
}: Pick<Context['services'], 'settings' | 'profileChoices'>) {
  if ((await settings.managed()).includes('appsMode')) return []
  return (await profileChoices.all()).flatMap(({ instanceId, profileId, appsMode }) =>
    appsMode === undefined ? [] : [{ instance: instanceId, profileId, mode: appsMode }],
  )
}

async function chooseMode(context: Context, choice: ModeChoice, options: ModeOptions): Promise<void> {
  const mode = choice === 'default' ? undefined : choice
  const isUp = (await connectionOf(context)) !== undefined
  const text = (chosen: string): string => [chosen, ...(isUp ? [t('terminal.apps.fromNext')] : [])].join(' ')
  if (mode !== undefined && options.profile === undefined && options.instance === undefined) {
    await context.run('setSetting', { name: 'appsMode', value: mode })
    context.terminal.result({ mode }, text(t(`terminal.apps.mode.${mode}`)))
    return
  }
  const instance = await context.services.instances.find(options.instance)
  const profileId = await profileOf(context, instance, choice, options.profile)
  await context.run('chooseAppsMode', { instanceId: instance.id, profileId, mode })
  context.terminal.result(
    { mode: choice, instance: instance.id, profileId },
    text(modeText(profileId, mode ?? 'default')),
  )
}

async function profileOf(
  context: Context,
  instance: Instance,
  choice: ModeChoice,
  named: string | undefined,
): Promise<string> {
  if (named === undefined) return onlyProfile(context, instance)
  const target = { instanceId: instance.id, profileId: named }
  // What was chosen for a profile that the service doesn't offer any more can be taken back, too.
  if (choice === 'default' && (await context.services.profileChoices.of(target)) !== undefined) return named
  return namedProfile(context, instance, named)
}

function modeText(profileId: string, mode: ModeChoice): string {
  return t('terminal.apps.ofProfile', {
    profile: terminalLine(profileId),
    text: t(`terminal.apps.mode.${mode}`),
  })
}

function appTable(shown: readonly ListedApp[], running: readonly string[]): string {
  return table(
    [t('terminal.column.id'), t('terminal.column.name'), t('terminal.column.status')],
    shown.map(({ id, name, listed }) => [
      terminalLine(id),
      terminalLine(name),
      running.includes(id) ? t('settings.apps.running') : listed ? t('settings.apps.listed') : '',
    ]),
  )
}

interface PidOption {
  readonly pid?: number
}

/** Says what the program will not be, before it starts: nothing may run on the wrong side without a word. */
async function explain(context: Context, side: Side): Promise<void> {
  const { terminal } = context
  const connection = await requireSide(context.services.tunnel, side)
  if (connection === undefined) {
    terminal.note(t('terminal.apps.notConnected'))
    // Outside of no tunnel of one's own may be in somebody else's.
    const others = process.platform === 'linux' ? vpnDevices() : []
    if (others.length > 0) terminal.note(t('terminal.apps.otherVpn', { devices: others.join(', ') }))
    return
  }
  const split = splitOf(connection)
  if (side === 'outside' && split?.mode === 'only') terminal.note(t('terminal.apps.outsideAnyway'))
  if (side === 'inside' && split?.mode !== 'only') terminal.note(t('terminal.apps.insideAnyway'))
}

type Connected = Extract<ConnectionState, { state: 'connected' }>

/** Returns the connection that is up, in any process. */
async function connectionOf({ services }: Context): Promise<Connected | undefined> {
  const use = await services.tunnel.use()
  const connection = use.use === 'held' ? use.holder.connection : undefined
  return connection?.state === 'connected' ? connection : undefined
}

function splitOf(connection: Connected | undefined): Connected['apps'] {
  return connection?.apps
}

function processId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of a process.')
}
