import { expect, it, onTestFinished } from 'vitest'
import { followLog, spawnOpenVpn } from './openvpn-process'

it.skipIf(process.platform === 'win32')(
  'reports the exit of OpenVPN, even if another process keeps its log open',
  async () => {
    const openVpn = spawnOpenVpn(['/bin/sh', '-c', 'sleep 600 & echo $!; exit 3'], '')
    const lines: string[] = []
    const log = followLog(openVpn, (line) => lines.push(line), 100)
    onTestFinished(() => void process.kill(Number(lines[0])))
    await log
    expect(lines).toEqual([expect.stringMatching(/^\d+$/)])
    expect(await openVpn.ended).toEqual({ exitCode: 3 })
  },
)
