import { isProgram } from '../../platform/child-process/is-program'
import { findHelper, installedHelper, type UsableHelper } from '../../privilege/find-helper'
import { findHelperFiles } from '../../privilege/helper-files'
import type { DoctorOptions, Finding } from './doctor'

export const installHelper = 'causeway helper install'

/** Returns whether the helper can be used on Linux or macOS, and how it is started. */
export async function helperFinding({
  helper: place = installedHelper,
  helperSources = import.meta.dirname,
  platform,
}: Pick<DoctorOptions, 'helper' | 'helperSources' | 'platform'>): Promise<Finding> {
  const found = await findHelper(place)
  if (found !== undefined) return foundHelper(found)
  const exists = await isProgram(place)
  if (!exists && !isInstallable(platform, helperSources)) {
    return {
      name: 'helper',
      status: 'limited',
      code: 'helper-not-built',
      command: 'npm run build:helper && npm run cli -- helper install',
      detail: "The helper isn't installed, and this copy of Causeway doesn't include it.",
      remedy: 'Install Go, then build and install the helper.',
    }
  }
  return exists && platform === 'linux'
    ? {
        name: 'helper',
        status: 'limited',
        code: 'helper-not-used',
        facts: { path: place },
        command: installHelper,
        detail: `${place} isn't used, because users other than root can change it, or because neither pkexec nor sudo is installed.`,
        remedy: `Install pkexec (on Debian: pkexec and polkitd), then reinstall the helper: ${installHelper}`,
      }
    : {
        name: 'helper',
        status: 'limited',
        code: 'helper-missing',
        command: installHelper,
        detail: `${place} doesn't exist, or users other than root can change it. Without it, you can't connect unless Causeway runs as root, and the VPN's DNS servers and the kill switch don't work.`,
        remedy: `Install the helper: ${installHelper}`,
      }
}

function isInstallable(platform: NodeJS.Platform, startAt: string): boolean {
  return (
    (platform === 'linux' || platform === 'darwin') && findHelperFiles(platform, '/', startAt) !== undefined
  )
}

export function foundHelper({ helper, elevation }: UsableHelper): Finding {
  const facts = { path: helper }
  if (elevation === 'sudo-askpass') {
    return {
      name: 'helper',
      status: 'limited',
      code: 'helper-asks-password',
      facts,
      command: installHelper,
      detail: `${helper} is started through sudo, which asks for an administrator's password. launchd doesn't listen for it, or somebody else sits at this computer.`,
      remedy: `Reinstall the helper, and allow Causeway to run in the background under System Settings > General > Login Items: ${installHelper}`,
    }
  }
  const start = elevation === 'root' ? 'directly, because Causeway runs as root' : `through ${elevation}`
  return {
    name: 'helper',
    status: 'ok',
    code: 'helper-ready',
    facts,
    detail: `${helper} is started ${start}.`,
  }
}
