import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { installTestHelper, mayMakeNamespaces, type TestHelper } from './helper.testing'
import { rows } from '../../scripts/slow.testing'

/** Resource limits survive pkexec and sudo, so the caller of the helper chooses them. */
const limits = [
  '--stack=262144 --data=8192000',
  '--stack=65536',
  '--data=1000000',
  '--data=4000000',
  '--as=20000000',
  '--as=200000000',
  '--fsize=0',
  '--cpu=1',
  '--nofile=3',
  '--nofile=16',
  '--nproc=1',
  '--memlock=0 --stack=131072',
]

const recorder = `
cat >$folder/recorder <<'END'
#!/bin/sh
cat >FOLDER/configuration
END
sed -i "s#FOLDER#$folder#" $folder/recorder
stand_in $folder/recorder
mount --bind $folder/recorder /usr/sbin/openvpn
ip link set lo up
exec prlimit $(cat $folder/limits) -- $folder/libexec/causeway-helper "$@"
`

describe.runIf(await mayMakeNamespaces())('the helper under resource limits of the caller', () => {
  let installed: TestHelper

  beforeAll(async () => {
    installed = await installTestHelper(recorder, 'unshare -n')
  })
  afterAll(() => installed.remove())

  async function run(limit: string, header: string, line: string) {
    const configuration = path.join(installed.folder, 'configuration')
    await rm(configuration, { force: true })
    await writeFile(path.join(installed.folder, 'limits'), limit)
    const subprocess = execa(installed.helper, ['run'], { stdin: 'pipe', reject: false, timeout: 60_000 })
    subprocess.stdin.on('error', () => undefined)
    // The end of its input would end the tunnel before the recorder has written anything.
    subprocess.stdin.write(`${header}client\nremote 192.0.2.1 1194 udp\n${line}\n#END\n`)
    const { stderr, stdout, exitCode } = await subprocess
    const handed = await readFile(configuration, 'utf8').catch(() => undefined)
    return { handed, output: `${stderr}${stdout}`, exitCode }
  }

  it.each(rows(limits, 3))('never accepts a forbidden line: %s', async (limit) => {
    for (const line of [
      'plugin /tmp/x.so',
      'script-security 2',
      'remote 192.0.2.1 1194;include"/etc/shadow";# udp',
    ]) {
      for (const killSwitch of ['off', 'on']) {
        const { handed, output, exitCode } = await run(limit, `kill-switch ${killSwitch}\ndns off\n`, line)
        expect(handed, line).toBeUndefined()
        expect(exitCode).not.toBe(0)
        expect(output).not.toMatch(/root:|started/)
      }
    }
    // Without that line it works or fails.
    const { handed, exitCode } = await run(limit, 'kill-switch off\ndns off\n', 'ping 10')
    if (handed === undefined) expect(exitCode).not.toBe(0)
    else expect(handed).toMatch(/\nping 10\n$/)
  })
})
