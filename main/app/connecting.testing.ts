import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, onTestFinished } from 'vitest'
import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import type { ErrorReport } from '../../contract/error-codes'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import type { ConnectOptions } from '../connection/connect-options'
import { CausewayError } from '../errors'
import type { TrafficBlock } from '../privilege/traffic-block'
import type { NetworkEvents } from '../platform/network/network-events'
import type { OpenBrowser } from '../portal/oauth/token-session'
import { createServices, type Services } from './services'

/** The control calls of a mock server. */
export class MockControl {
  readonly #address: string
  #lastId = 0

  constructor(address: string) {
    this.#address = address
  }

  post(path: string, body: object = {}): Promise<void> {
    return this.#send('POST', path, body)
  }

  put(path: string, body: object): Promise<void> {
    return this.#send('PUT', path, body)
  }

  async #send(method: string, path: string, body: object): Promise<void> {
    const response = await fetch(`${this.#address}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  }

  fault(path: string, fault: object, times?: number): Promise<void> {
    return this.post('/faults', { match: { path }, fault, times })
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.#address}/faults`, { method: 'DELETE' })
  }

  /** Returns the requests since the last call, such as `GET /info.json`, in order of arrival. */
  async requests(): Promise<string[]> {
    const journal = (await (await fetch(`${this.#address}/requests`)).json()) as {
      id: number
      method: string
      path: string
    }[]
    // Emptying the journal would lose what arrives between the two calls.
    const later = journal.filter(({ id }) => id > this.#lastId)
    this.#lastId = later.at(-1)?.id ?? this.#lastId
    return later.map(({ method, path }) => `${method} ${path}`)
  }
}

/** Starts a mock server for a test file and resets it before each test. Call it at the top level of the file. */
export async function startMock(
  options: Parameters<typeof startTestMock>[0] = { tunnel: 'openvpn', autoApprove: true },
): Promise<{ readonly mock: MockServer; readonly control: MockControl }> {
  const mock = await startTestMock(options)
  afterAll(() => mock.close())
  const control = new MockControl(mock.control)
  beforeEach(() => control.post('/reset'))
  return { mock, control }
}

export interface Computer {
  readonly dataDir: string
  readonly services: Services
  /** Short names of all states since the start, such as `connecting/tls`. */
  readonly steps: string[]
  readonly notices: ErrorReport[]
  /** Returns how often the browser was opened. */
  logins(): number
  connect(profileId?: string, options?: ConnectOptions): Promise<'connected' | 'disconnected'>
  target(profileId?: string): ConnectionTarget
  /** Runs the action as soon as the connection reaches the step; resolves when the action has finished. */
  at(step: string, action?: () => Promise<void>): Promise<void>
}

/** A browser, for a mock server that approves at once. */
export const approve: OpenBrowser = async (url) => {
  await (await fetch(url)).text()
}

/** Creates services with a new data directory and one instance. Files, requests and OpenVPN (handshake only) are real. */
export async function newComputer(
  instance: string,
  options: {
    readonly openBrowser?: OpenBrowser
    readonly openVpnPath?: string
    readonly networkEvents?: NetworkEvents
    readonly trafficBlock?: TrafficBlock
    readonly now?: () => Date
  } = {},
): Promise<Computer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-connecting-'))
  const { openBrowser = approve, ...rest } = options
  const notices: ErrorReport[] = []
  const steps: string[] = []
  let opened = 0
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: (...urls) => {
      opened += 1
      return openBrowser(...urls)
    },
    onNotice: (notice) => notices.push(notice),
    ...rest,
  })
  onTestFinished(async () => {
    await services.dispose()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { connection } = services
  connection.onChange((state) => steps.push(stepOf(state)))
  const { id } = await services.addInstance({ address: instance })
  const target = (profileId = 'internet') => ({ instanceId: id, profileId })
  return {
    dataDir,
    services,
    steps,
    notices,
    logins: () => opened,
    target,
    connect: (profileId, connectOptions) =>
      connection.connect(target(profileId), { mode: 'handshake-only', ...connectOptions }),
    at: (step, action = () => Promise.resolve()) =>
      new Promise((resolve, reject) => {
        const stop = connection.onChange((state) => {
          if (stepOf(state) !== step) return
          stop()
          action().then(resolve, reject)
        })
      }),
  }
}

/** Creates a computer with a key pair from an earlier connection, and clears the request journal. */
export async function computerWithKeyPair({
  mock,
  control,
}: Awaited<ReturnType<typeof startMock>>): Promise<Computer> {
  const computer = await newComputer(mock.instance)
  await computer.connect()
  await computer.services.connection.disconnect()
  computer.steps.length = 0
  await control.requests()
  return computer
}

/** Kills the OpenVPN clients that this process has started. */
export function killClients(): void {
  for (const pid of runningClients()) process.kill(pid, 'SIGKILL')
}

function stepOf(state: ConnectionState): string {
  return state.state === 'connecting' ? `connecting/${state.phase}` : state.state
}

/** Returns the `CausewayError` that a promise rejects with; throws if it doesn't. */
export async function failure(promise: Promise<unknown>): Promise<CausewayError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && outcome.error instanceof CausewayError) return outcome.error
  throw new Error('There was no error of ours', { cause: outcome })
}

/** True where tests find the processes of OpenVPN, and can kill them. */
export const findsClients = process.platform === 'linux'

/** Returns the ids of the OpenVPN clients that this process has started, or none where they aren't found. */
export function runningClients(parent = process.pid): number[] {
  if (!findsClients) return []
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      const isOurs = status.includes(`\nPPid:\t${parent}\n`) && words.includes('--script-security')
      return isOurs ? [Number(name)] : []
    } catch {
      // The process has ended.
      return []
    }
  })
}

/** Returns the configuration that the portal currently sends for a profile. */
export async function profileText({ services }: Computer, profileId: string): Promise<string> {
  const portal = await services.portal(await services.instances.find(undefined))
  const { tunnel } = await portal.connect(
    profileId,
    { remoteStrategy: undefined, preferTcp: false },
    new AbortController().signal,
  )
  return tunnel.profile
}
