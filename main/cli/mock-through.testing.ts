import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { inject } from 'vitest'
import { z } from 'zod'
import { testAuthority } from '../../mock-server/test-authority'

const addresses = z.object({ instance: z.string(), control: z.string() })

/** Starts the mock server with OpenVPN through the given words, such as those that enter a network namespace. */
export async function startMockThrough(
  [program = '', ...words]: readonly string[],
  more: readonly string[] = [],
): Promise<z.infer<typeof addresses> & { readonly stop: () => Promise<void> }> {
  const { ca, caKey } = testAuthority()
  const secure = ['--tls-ca', ca, '--tls-ca-key', caKey]
  const options = ['--port', '0', '--tunnel', 'openvpn', '--auto-approve', '--json', ...secure, ...more]
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
