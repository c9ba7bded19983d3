import { chmod, lutimes, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Sets the modes, which a umask or a checkout may have changed, and the times of a folder and everything in it. */
export async function setModes(root: string, time: Date): Promise<void> {
  const found = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = found.map((each) => ({ each, path: join(each.parentPath, each.name) }))
  for (const { each, path } of paths)
    if (!each.isSymbolicLink())
      await chmod(path, each.isDirectory() || (await isExecutable(path)) ? 0o755 : 0o644)
  await chmod(root, 0o755)
  // A folder's time changes with what is in it.
  for (const path of [...paths.map(({ path: each }) => each).reverse(), root]) await lutimes(path, time, time)
}

async function isExecutable(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o100) !== 0
}
