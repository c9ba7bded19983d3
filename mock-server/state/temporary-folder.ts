import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayBeOwned, owner, ownerPattern } from '../alive'
import { codeOf } from '../errors'

const namePattern = new RegExp(`^causeway-mock-(${ownerPattern})-[A-Za-z0-9]+$`)

/** The folder of this process that holds all others, and how to end the watcher of the process. */
let top: { path: string; endWatch(): void } | undefined

/** Deletes the folders of killed mocks whose watcher was killed, too, or that ran on Windows. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const by = namePattern.exec(name)?.[1]
    if (by === undefined || mayBeOwned(by)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // It belongs to another user, whose next mock deletes it.
    }
  }
}

/** Starts a process that deletes a folder when this process ends, however it ends: then its pipe closes. */
function watch(path: string): () => void {
  if (process.platform === 'win32') return () => undefined
  const script = 'read -r line || rm -rf -- "$1"'
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => undefined)
  watcher.stdin.on('error', () => undefined)
  watcher.unref()
  // The pipe of a child is a socket, which must not keep this process running.
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  return () => watcher.stdin.end('done\n')
}

/** Creates a temporary folder that does not outlive this process. `remove` deletes it earlier. */
export function temporaryFolder(purpose: string): { path: string; remove(): void } {
  if (top === undefined) {
    removeLeftovers()
    const folder = mkdtempSync(join(tmpdir(), `causeway-mock-${owner}-`))
    top = { path: folder, endWatch: watch(folder) }
  }
  const path = mkdtempSync(join(top.path, `${purpose}-`))
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true })
      if (top === undefined) return
      try {
        rmdirSync(top.path)
      } catch (error) {
        if (codeOf(error) === 'ENOTEMPTY') return
      }
      top.endWatch()
      top = undefined
    },
  }
}
