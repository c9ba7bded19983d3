import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'

const root = join(import.meta.dirname, '..')

/** Copies the files that are in the repository, but for pictures, into a folder, with the same packages. */
export async function copyTree(folder: string): Promise<void> {
  const { stdout } = await execa('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  const files = stdout.split('\n').filter((file) => !file.startsWith('docs/pictures/'))
  await Promise.all(
    files.map(async (file) => {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      // A file that a change has just removed.
      await cp(join(root, file), join(folder, file)).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      })
    }),
  )
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}
