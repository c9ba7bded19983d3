import { isProgram } from '../../platform/child-process/is-program'
import { findHelper, installedHelper, type UsableHelper } from '../../privilege/find-helper'
import { findHelperFiles } from '../../privilege/helper-files'
import type { FindingItem } from '../../../contract/doctor'
import type { DoctorOptions } from './doctor-options'

const installHelper = 'causeway helper install'

/** Returns whether the helper can be used on Linux or macOS, and how it is started. */
export async function helperFinding({
  helper: place = installedHelper,
  helperSources = import.meta.dirname,
  platform,
}: Pick<DoctorOptions, 'helper' | 'helperSources' | 'platform'>): Promise<FindingItem> {
  const name = 'helper'
  const status = 'limited'
  const found = await findHelper(place)
  if (found !== undefined) {
    return (await starts(place))
      ? foundHelper(found)
      : { name, status: 'missing', code: 'helper-broken', facts: { path: place }, command: installHelper }
  }
  const exists = await isProgram(place)
  if (!exists && !isInstallable(platform, helperSources)) {
    const command = 'npm run build:helper && npm run cli -- helper install'
    return { name, status, code: 'helper-not-built', command }
  }
  return exists && platform === 'linux'
    ? { name, status, code: 'helper-not-used', facts: { path: place }, command: installHelper }
    : { name, status, code: 'helper-missing', command: installHelper }
}

/** Starts the helper, which needs no rights to tell its version: it may be of another processor, or not allowed to run here. */
async function starts(helper: string): Promise<boolean> {
  const { execa } = await import('execa')
  return !(await execa(helper, ['version'], { reject: false, timeout: 5000, stdio: 'ignore' })).failed
}

function isInstallable(platform: NodeJS.Platform, startAt: string): boolean {
  return (
    (platform === 'linux' || platform === 'darwin') && findHelperFiles(platform, '/', startAt) !== undefined
  )
}

export function foundHelper({ helper: path, elevation }: UsableHelper): FindingItem {
  const finding = { name: 'helper', facts: { path } } as const
  return elevation === 'sudo-askpass'
    ? { ...finding, status: 'limited', code: 'helper-asks-password', command: installHelper }
    : { ...finding, status: 'ok', code: 'helper-ready' }
}
