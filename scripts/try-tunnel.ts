import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { createMockServer } from '../mock-server/server'

/**
 * Makes a tunnel to the mock server with a network device of this computer and the rights that Causeway finds here (the helper,
 * OpenVPN's service or root), and takes it down again. It waits for nobody: the workflows run it. Needs `npm run build`.
 */

async function expectDevice(address: string, isThere: boolean): Promise<void> {
  for (let waited = 0; ; waited += 1) {
    const devices = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
    if (devices.some((device) => device.address === address) === isThere) return
    if (waited === 20) throw new Error(`A device with ${address} is ${isThere ? 'missing' : 'still there'}.`)
    await delay(500)
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'causeway-tunnel-'))
const env = {
  CAUSEWAY_DATA_DIR: dataDir,
  CAUSEWAY_SECRET_STORE: 'file',
  CAUSEWAY_BROWSER: `"${process.execPath}" -e fetch(process.argv.at(-1)).then((answer)=>answer.text())`,
}

function causeway(...words: readonly string[]) {
  console.log(`causeway ${words.join(' ')}`)
  return execa(process.execPath, ['out/main/cli.js', ...words], {
    env,
    stdin: 'ignore',
    stdout: ['pipe', 'inherit'],
    stderr: 'inherit',
    timeout: 120_000,
  })
}

const mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
try {
  await causeway('instance', 'add', mock.instance)
  await causeway('login')
  const connect = causeway('connect', 'office', '--json')
  let address = ''
  try {
    for await (const line of connect.iterable()) {
      const [, found = ''] = /"state":"connected".*"ipv4":"([^"]+)"/.exec(line) ?? []
      if (found === '' || address !== '') continue
      address = found
      await expectDevice(address, true)
      await causeway('disconnect', '--wait')
    }
    if (address === '') throw new Error('There was no tunnel.')
    await expectDevice(address, false)
  } catch (error) {
    await causeway('log').catch(() => undefined)
    throw error
  } finally {
    connect.kill()
  }
} finally {
  await mock.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
