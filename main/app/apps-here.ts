import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AppsHere } from '../../contract/apps'
import { groupFolders } from '../platform/apps/listed-apps'
import { hasSystemd } from '../platform/apps/has-systemd'
import { openUserManager } from '../platform/apps/user-manager'
import { resultWithin } from '../platform/child-process/result-within'
import { findHelper } from '../privilege/find-helper'

interface AppsHereOptions {
  readonly platform?: NodeJS.Platform
  /** Path of the helper; default: the installed one. */
  readonly helper?: string
  /** The folders where version 2 of control groups may be: alone, or beside version 1. */
  readonly hierarchies?: readonly string[]
  readonly nftVersion?: () => Promise<string | undefined>
  readonly hasManager?: () => Promise<boolean>
  readonly systemdRuns?: () => boolean
}

/** The first version of nft that matches control groups as the helper's rules do. */
const oldestNft = '1.0'

/** Checks if this computer can divide apps, and returns what is missing first. Never throws. */
export async function appsHere({
  platform = process.platform,
  helper,
  hierarchies = groupFolders,
  nftVersion = askNft,
  hasManager = userManagerAnswers,
  systemdRuns = hasSystemd,
}: AppsHereOptions = {}): Promise<AppsHere> {
  if (platform !== 'linux') return 'not-on-this-system'
  if ((await findHelper(helper)) === undefined) return 'no-helper'
  // A file that version 1 doesn't have.
  if (!hierarchies.some((folder) => existsSync(join(folder, 'cgroup.controllers')))) return 'no-cgroups'
  if (!isNewEnough(await nftVersion())) return 'no-nft'
  if (await hasManager()) return 'available'
  // The helper makes the groups.
  return systemdRuns() ? 'no-manager' : 'running-only'
}

function isNewEnough(text: string | undefined): boolean {
  const [, found = '0'] = /v(\d+(?:\.\d+)*)/.exec(text ?? '') ?? []
  return found.localeCompare(oldestNft, 'en', { numeric: true }) >= 0
}

async function askNft(): Promise<string | undefined> {
  const { execa } = await import('execa')
  const options = {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    extendEnv: false,
    reject: false,
  } as const
  const answer = await resultWithin(5000, execa('nft', ['--version'], options))
  return answer?.failed === false ? answer.stdout : undefined
}

async function userManagerAnswers(): Promise<boolean> {
  const manager = await openUserManager()
  manager?.close()
  return manager !== undefined
}
