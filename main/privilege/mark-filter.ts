import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mountOptions } from '../platform/storage/mount-options'
import { hasNft } from './kill-switch'

interface Places {
  /** The root of the file system. */
  readonly root?: string
  /** The folders in which the helper looks for nft. */
  readonly folders?: readonly string[]
}

/**
 * Returns why a full tunnel of WireGuard can't work here: a strict reverse path filter drops answers, and the helper can't let
 * them through, because nft is missing, or because the settings of the kernel are read-only, as in many containers.
 */
export async function answersDropped({ root = '/', folders }: Places = {}): Promise<
  'no-nft' | 'setting' | undefined
> {
  const conf = join(root, 'proc/sys/net/ipv4/conf')
  const isStrict = namesIn(conf).some((device) => textOf(join(conf, device, 'rp_filter')) === '1')
  if (!isStrict) return undefined
  if (!(await hasNft(folders))) return 'no-nft'
  const isSet = textOf(join(conf, 'all/src_valid_mark')) === '1'
  return !isSet && areSettingsReadOnly(root) ? 'setting' : undefined
}

function areSettingsReadOnly(root: string): boolean {
  return (mountOptions('/proc/sys', root) ?? mountOptions('/proc', root) ?? []).includes('ro')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
