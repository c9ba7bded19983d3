import { createOpenVpnFinder, programNotFound } from './find-openvpn'
import type { Launcher } from './launcher'
import { LeftoverRoutes } from './leftover-routes'
import { followLog, spawnOpenVpn } from './openvpn-process'
import { afterLifeline, lifelineWords } from '../../platform/child-process/lifeline'

/**
 * Runs OpenVPN as a child process with this process's own rights (openvpn.md, "direct"). Keep it: it remembers the
 * version of the OpenVPN that it found.
 *
 * @param binary the path of OpenVPN, asked for at each start; undefined to look for it in the usual places
 */
export function createDirectLauncher(binary: () => Promise<string | undefined>): Launcher {
  const find = createOpenVpnFinder()
  // It does not change while this process runs.
  let lifeline: Promise<readonly string[]> | undefined
  return {
    name: 'direct',
    launch: async ({ configuration }) => {
      lifeline ??= lifelineWords()
      const [openVpn, tie] = await Promise.all([find(await binary()), lifeline])
      const subprocess = spawnOpenVpn(afterLifeline(tie, openVpn.path), configuration)
      if (subprocess.pid === undefined) {
        await subprocess
        throw programNotFound(openVpn.path)
      }
      const leftover = new LeftoverRoutes()
      let heard: () => void = () => undefined
      const wholeLog = new Promise<void>((resolve) => {
        heard = resolve
      })
      const exited = async () => {
        const [{ exitCode, signal }] = await Promise.all([subprocess, wholeLog])
        if (signal !== undefined) await leftover.remove()
        return { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) }
      }
      return {
        followLog: async (onLine) => {
          await followLog(subprocess, (line) => {
            leftover.note(line)
            onLine(line)
          })
          heard()
        },
        // Until it tries a remote, OpenVPN has nothing to clean up.
        end: ({ hasBegun }) => void subprocess.kill(hasBegun ? 'SIGTERM' : 'SIGKILL'),
        exited: exited(),
      }
    },
  }
}
