import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { inject } from 'vitest'
import { z } from 'zod'
import type { PrivateComputer } from '../privilege/private-computer.testing'

const addresses = z.object({ instance: z.string(), control: z.string() })

/** The mock server with its OpenVPN, run by root of this computer; `stop` ends it. */
export async function startMockIn(
  computer: PrivateComputer,
): Promise<z.infer<typeof addresses> & { readonly stop: () => Promise<void> }> {
  const [program, ...words] = computer.asRoot
  const options = ['--port', '0', '--tunnel', 'openvpn', '--auto-approve', '--json']
  const mock = execa(program, [...words, process.execPath, inject('programs').mockServer, ...options], {
    reject: false,
  })
  const [line] = (await once(createInterface({ input: mock.stdout }), 'line')) as [string]
  return {
    ...addresses.parse(JSON.parse(line)),
    stop: async () => {
      mock.kill('SIGTERM')
      await mock
    },
  }
}
