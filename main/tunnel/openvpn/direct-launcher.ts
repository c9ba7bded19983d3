import { createOpenVpnFinder, programNotFound } from './find-openvpn'
import type { Launcher } from './launcher'
import { LeftoverRoutes } from './leftover-routes'
import { followLog, spawnOpenVpn } from './openvpn-process'
import { afterLifeline, lifelineWords } from '../../platform/child-process/lifeline'

/**
 * Creates a launcher that runs OpenVPN as a child process with this process's own rights (openvpn.md, "direct"). Reuse it:
 * it caches the version of OpenVPN.
 *
 * @param binary returns the path of OpenVPN at each start; undefined to search the usual folders
 */
export function createDirectLauncher(binary: () => Promise<string | undefined>): Launcher {
  const find = createOpenVpnFinder()
  // Cached, because it does not change while this process runs.
  let lifeline: Promise<readonly string[]> | undefined
  return {
    name: 'direct',
    launch: async ({ configuration }) => {
      lifeline ??= lifelineWords()
      const [openVpn, tie] = await Promise.all([find(await binary()), lifeline])
      const subprocess = spawnOpenVpn(afterLifeline(tie, openVpn.path), configuration)
      if (subprocess.pid === undefined) throw programNotFound(openVpn.path)
      const leftover = new LeftoverRoutes()
      let heard: () => void = () => undefined
      const wholeLog = new Promise<void>((resolve) => {
        heard = resolve
      })
      const exited = async () => {
        const [end] = await Promise.all([subprocess.ended, wholeLog])
        if (end.signal !== undefined) await leftover.remove()
        return end
      }
      return {
        followLog: async (onLine) => {
          await followLog(subprocess, (line) => {
            leftover.note(line)
            // Asked to end, it would first add the rest.
            if (leftover.tooMany) subprocess.kill('SIGKILL')
            onLine(line)
          })
          heard()
        },
        // OpenVPN has nothing to clean up before it tries a remote.
        end: ({ hasBegun }) => {
          subprocess.kill(hasBegun ? 'SIGTERM' : 'SIGKILL')
        },
        exited: exited(),
      }
    },
  }
}
