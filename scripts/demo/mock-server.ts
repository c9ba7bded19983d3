import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { z } from 'zod'

const listening = z.object({ event: z.literal('listening'), instance: z.url(), control: z.url() })
const tunnel = z.object({ mode: z.string(), pingAddress: z.string().optional() })

export interface RunningMockServer {
  /** The address of its instance. */
  readonly instance: string
  readonly tunnel: z.infer<typeof tunnel>
  stop(): Promise<void>
}

/** Starts the mock server with a real OpenVPN and logins that approve themselves, on a free port. */
export async function startMockServer(): Promise<RunningMockServer> {
  const args = ['mock-server/cli.ts', '--port', '0', '--auto-approve', '--tunnel', 'openvpn', '--json']
  const server = execa(process.execPath, ['--import', 'tsx', ...args], {
    stderr: 'inherit',
    reject: false,
    buffer: false,
  })
  const lines = createInterface({ input: server.stdout })
  const first = await Promise.race([once(lines, 'line'), server.then(() => undefined)])
  if (first === undefined) throw new Error('The mock server ended before it was ready.')
  const { instance, control } = listening.parse(JSON.parse(String(first[0])))
  const answer = await fetch(`${control}/tunnel`)
  return {
    instance,
    tunnel: tunnel.parse(await answer.json()),
    stop: async () => {
      server.kill('SIGTERM')
      await server
    },
  }
}
