import type { Command } from 'commander'
import { settingName } from '../../../contract/settings'
import { action } from '../context'
import { allowedTexts, t } from '../language'
import { table } from '../terminal'

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description('manage settings')

  settings
    .command('list')
    .description('list settings and their allowed values')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const all = await services.settings.all()
        const managed = await services.settings.managed()
        terminal.result(
          all,
          table(
            [t('terminal.column.setting'), t('terminal.column.value'), t('terminal.column.allowed')],
            settingName.options.map((name) => [
              name,
              String(all[name]),
              managed.includes(name) ? t('terminal.settings.managed') : allowedTexts(name).join(', '),
            ]),
          ),
        )
      }),
    )

  settings
    .command('get')
    .description('show a setting')
    .argument('<name>')
    .action(
      action<[string, object]>(async ({ services, terminal }, name) => {
        const value = await services.settings.get(name)
        const isManaged = (await services.settings.managed()).some((managed) => managed === name)
        terminal.result({ name, value, managed: isManaged || undefined }, String(value))
      }),
    )

  settings
    .command('set')
    .description('change a setting')
    .argument('<name>')
    .argument('<value>')
    .action(
      action<[string, string, object]>(async ({ run, services, terminal }, name, value) => {
        await run('setSetting', { name, value })
        const set = await services.settings.get(name)
        terminal.result({ name, value: set }, t('terminal.settings.set', { name, value: String(set) }))
      }),
    )
}
