import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * File systems in the memory or on a disk of this computer. Others may wait for a network or for another program, or are mounted
 * when something reads them.
 */
const ownTypes =
  /^(?:bcachefs|btrfs|erofs|exfat|ext[234]|f2fs|iso9660|jfs|nilfs2|ntfs3|overlay|ramfs|reiserfs|squashfs|tmpfs|vfat|xfs|zfs)$/

/** As many as the kernel follows. */
const maxLinks = 40

/**
 * Returns true if these places, all that is mounted in them and where the links in them lead are on disks of this computer, which
 * answer. False if that isn't known, such as on other systems than Linux. Nothing that may be elsewhere is touched: the kernel's
 * table of mounts is asked first, for each step of a path.
 */
export function areOnOwnDisks(places: readonly string[], table = '/proc/self/mountinfo'): boolean {
  try {
    const elsewhere = mountsElsewhere(readFileSync(table, 'utf8'))
    return places.every((place) => isOwn(place, elsewhere, { lists: true }))
  } catch {
    // Nothing is known then.
    return false
  }
}

/** Returns where other file systems are mounted. Throws if a line of the table isn't as in proc(5). */
function mountsElsewhere(table: string): string[] {
  return table
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [, point, type] = /^(?:\S+ ){4}(\/\S*) .*? - (\S+) /.exec(line) ?? []
      if (point === undefined || type === undefined) throw new Error(`This isn't a mount: ${line}`)
      const path = point.replaceAll(/\\([0-7]{3})/g, (_escape, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      )
      return ownTypes.test(type) ? [] : [path]
    })
}

/** Follows a path as the kernel does, and with `lists` also the links in the folder at its end. */
function isOwn(path: string, elsewhere: readonly string[], { lists }: { readonly lists: boolean }): boolean {
  const names = path.split('/')
  let links = 0
  let at = '/'
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '..') at = dirname(at)
    if (name === '' || name === '.' || name === '..') continue
    const next = join(at, name)
    if (elsewhere.some((mount) => isWithin(next, mount))) return false
    const found = lstatSync(next, { throwIfNoEntry: false })
    if (found === undefined) return true
    if (found.isSymbolicLink()) {
      links += 1
      if (links > maxLinks) return false
      const target = readlinkSync(next)
      names.unshift(...target.split('/'))
      if (target.startsWith('/')) at = '/'
    } else {
      at = next
    }
  }
  if (!lists) return true
  if (elsewhere.some((mount) => isWithin(mount, at))) return false
  return readdirSync(at, { withFileTypes: true }).every(
    (entry) => !entry.isSymbolicLink() || isOwn(join(at, entry.name), elsewhere, { lists: false }),
  )
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`)
}
