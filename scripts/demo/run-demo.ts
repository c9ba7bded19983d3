import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { execa } from 'execa'
import { z } from 'zod'
import { inTemporaryFolder } from '../program'

const listening = z.object({ event: z.literal('listening'), instance: z.url(), ca: z.string() })
const tunnel = z.object({ mode: z.string(), pingAddress: z.string().optional() })

export interface RunningMockServer {
  /** Address of the instance. */
  readonly instance: string
  readonly tunnel: z.infer<typeof tunnel>
  /** The version of the portal API that it plays. */
  readonly api: string
  /** The file of the CA that signs its certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly ca: string
  stop(): Promise<void>
}

/** Starts the mock server on a free port, over https, with a real OpenVPN and automatic approval of logins. */
async function startMockServer(api: string): Promise<RunningMockServer> {
  const args = ['--port', '0', '--auto-approve', '--tls', '--tunnel', 'openvpn', '--json', '--api', api]
  const server = execa(process.execPath, ['--import', 'tsx', 'mock-server/cli.ts', ...args], {
    stderr: 'inherit',
    reject: false,
    buffer: false,
  })
  const lines = createInterface({ input: server.stdout })
  const first = await Promise.race([once(lines, 'line'), server.then(() => undefined)])
  if (first === undefined) throw new Error('The mock server ended before it was ready.')
  const { instance, ca } = listening.parse(JSON.parse(String(first[0])))
  return {
    instance,
    api,
    ca,
    tunnel: tunnel.parse(await readJson(new URL('_mock/tunnel', instance), ca)),
    stop: async () => {
      server.kill('SIGTERM')
      await server
    },
  }
}

/** Reads JSON from the mock server. This process has started without its CA, which fetch would need then. */
async function readJson(url: URL, ca: string): Promise<unknown> {
  const answer = request(url, { ca: await readFile(ca) }).end()
  const [response] = (await once(answer, 'response')) as [IncomingMessage]
  return json(response)
}

const words = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'approving-browser.ts')]

/** Value for `--browser`: a script that requests the address instead of a browser. */
const approvingBrowser = words.map((word) => word.replaceAll(' ', '\\ ')).join(' ')

export interface AppEnvironment {
  readonly CAUSEWAY_DATA_DIR: string
  readonly CAUSEWAY_BROWSER: string
  readonly NODE_EXTRA_CA_CERTS: string
}

/** Calls `work` with a mock server that plays a version of the portal API, and the app's environment; cleans up when it has ended. */
export async function withMockServer<Result>(
  api: string,
  work: (server: RunningMockServer, env: AppEnvironment) => Promise<Result>,
): Promise<Result> {
  return inTemporaryFolder('demo', async (dataDir) => {
    const server = await startMockServer(api)
    try {
      return await work(server, {
        CAUSEWAY_DATA_DIR: dataDir,
        CAUSEWAY_BROWSER: approvingBrowser,
        NODE_EXTRA_CA_CERTS: server.ca,
      })
    } finally {
      await server.stop()
    }
  })
}

/** Runs a demo and prints its outcome. The first argument of the program is the version of the portal API, 2 or 3. */
export async function runDemo(
  demo: (server: RunningMockServer, env: AppEnvironment) => Promise<void>,
): Promise<void> {
  const began = Date.now()
  try {
    await withMockServer(process.argv[2] ?? '2', demo)
    console.log(
      `\nDone in ${((Date.now() - began) / 1000).toFixed(1)} s. Everything that was started has ended.`,
    )
  } catch (error) {
    console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
