import { isProgram } from '../../platform/child-process/is-program'
import { findHelper, installedHelper, type UsableHelper } from '../../privilege/find-helper'
import { findHelperFiles } from '../../privilege/helper-files'
import type { FindingItem } from '../../../contract/doctor'
import type { DoctorOptions } from './doctor'

export const installHelper = 'causeway helper install'

/** Returns whether the helper can be used on Linux or macOS, and how it is started. */
export async function helperFinding({
  helper: place = installedHelper,
  helperSources = import.meta.dirname,
  platform,
}: Pick<DoctorOptions, 'helper' | 'helperSources' | 'platform'>): Promise<FindingItem> {
  const found = await findHelper(place)
  if (found !== undefined) return foundHelper(found)
  const exists = await isProgram(place)
  if (!exists && !isInstallable(platform, helperSources)) {
    return {
      name: 'helper',
      status: 'limited',
      code: 'helper-not-built',
      command: 'npm run build:helper && npm run cli -- helper install',
    }
  }
  return exists && platform === 'linux'
    ? {
        name: 'helper',
        status: 'limited',
        code: 'helper-not-used',
        facts: { path: place },
        command: installHelper,
      }
    : {
        name: 'helper',
        status: 'limited',
        code: 'helper-missing',
        command: installHelper,
      }
}

function isInstallable(platform: NodeJS.Platform, startAt: string): boolean {
  return (
    (platform === 'linux' || platform === 'darwin') && findHelperFiles(platform, '/', startAt) !== undefined
  )
}

export function foundHelper({ helper, elevation }: UsableHelper): FindingItem {
  const facts = { path: helper }
  if (elevation === 'sudo-askpass') {
    return {
      name: 'helper',
      status: 'limited',
      code: 'helper-asks-password',
      facts,
      command: installHelper,
    }
  }
  return {
    name: 'helper',
    status: 'ok',
    code: 'helper-ready',
    facts,
  }
}
