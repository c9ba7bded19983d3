import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDirectLauncher } from './direct-launcher'

it.skipIf(process.platform === 'win32')(
  'reports the exit of OpenVPN, even if another process keeps its log open',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-direct-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const binary = join(folder, 'openvpn')
    const version = '[ "$1" = --version ] && echo "OpenVPN 2.6.0 [SSL (OpenSSL)]" && exit 1'
    await writeFile(binary, `#!/bin/sh\n${version}\nsleep 600 &\necho $!\nexit 3\n`)
    await chmod(binary, 0o755)
    const openVpn = await createDirectLauncher(
      () => Promise.resolve(binary),
      100,
    )({
      command: 'run',
      configuration: '',
      killSwitch: false,
    })
    const lines: string[] = []
    onTestFinished(() => void process.kill(Number(lines[0])))
    await openVpn.followLog((line) => lines.push(line))
    expect(lines).toEqual([expect.stringMatching(/^\d+$/)])
    expect(await openVpn.exited).toMatchObject({ exitCode: 3 })
  },
)
