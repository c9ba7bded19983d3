import type { Command } from 'commander'
import { type ReadPolicy, checkPolicyFile } from '../../app/policy'
import { action } from '../context'
import { t } from '../language'
import { table } from '../terminal'

export function addPolicyCommands(program: Command): void {
  program
    .command('policy')
    .description("check an administrator's policy before it is rolled out")
    .command('check')
    .description('print what a policy file does, or what is wrong with it')
    .argument('<file>', 'a file such as policy.json')
    .action(
      action<[string, object]>(async ({ terminal }, path) => {
        const read = await checkPolicyFile(path)
        const { instances, settings, updates, minimumVersion } = read.policy
        terminal.result(
          { usable: true, instances, settings, updates, minimumVersion, skipped: read.skipped },
          `${t('terminal.policy.usable')}\n\n${meaning(read)}`,
        )
      }),
    )
}

function meaning({ policy, skipped }: ReadPolicy): string {
  const { instances, settings, updates, minimumVersion } = policy
  return table(
    [t('terminal.column.setting'), t('terminal.column.value'), t('terminal.policy.meaning')],
    [
      ...instances.map(({ address, ...fixed }) => [
        'instances',
        [address, ...Object.values(fixed)].join(' '),
        t('terminal.policy.instance'),
      ]),
      ...Object.entries(settings).map(([name, value]) => [
        ['settings', name].join('.'),
        String(value),
        t('terminal.policy.setting'),
      ]),
      ...(updates === undefined ? [] : [['updates', updates.url, t('terminal.policy.updates')]]),
      ...(minimumVersion === undefined
        ? []
        : [['minimumVersion', minimumVersion, t('terminal.policy.minimumVersion')]]),
      ...skipped.map((name) => [name, '', t('terminal.policy.skipped')]),
    ],
  )
}
