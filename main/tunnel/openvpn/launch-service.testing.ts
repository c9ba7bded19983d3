import { createWindowsServiceLauncher, type WindowsServiceLauncherOptions } from './windows-service-launcher'

export interface Given {
  readonly service: Pick<WindowsServiceLauncherOptions, 'pipe' | 'folder'>
  /** The command that holds the exit event, with NAME for its name. */
  readonly owner: readonly [string, ...string[]]
  readonly configuration: string
}

/** Runs OpenVPN through the service of Windows until the process is ended, and says when it is up. */
const { service, owner, configuration } = JSON.parse(process.env.GIVEN ?? '') as Given
const launch = createWindowsServiceLauncher({
  ...service,
  helper: (_word, name) => {
    const [program, ...words] = owner
    return [program, ...words.map((word) => word.replaceAll('NAME', name))]
  },
})
const launched = await launch({ command: 'run', configuration, killSwitch: false })
await launched.followLog((line) => {
  if (line.startsWith('TCP/UDP: ')) process.stdout.write('up\n')
})
