import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'

/** Whether there is a file of this name that may be run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
