import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Throws an Error that names the programs that are missing, and how to install their packages on Debian. */
export function needPrograms(packages: Readonly<Record<string, string>>): void {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/libexec']
  const missing = Object.entries(packages).filter(
    ([program]) => !folders.some((folder) => existsSync(join(folder, program))),
  )
  if (missing.length === 0) return
  const names = missing.map(([program]) => program).join(', ')
  const words = [...new Set(missing.map(([, name]) => name))].join(' ')
  throw new Error(
    `This test needs ${names}. Please type:\n  sudo apt-get install --no-install-recommends ${words}`,
  )
}
