import { CausewayError } from '../../errors'
import {
  type HelperOptions,
  type Launch,
  type LaunchRequest,
  type ProgramExit,
  runHelper,
  type TunnelProgram,
} from '../../privilege/helper-client'
import type { HelperMessage } from '../../privilege/helper-messages'

/** The addresses that the service found for each server, by its number in the request; none for one that it didn't find. */
export type PermittedAddresses = Extract<HelperMessage, { message: 'permitted' }>['addresses']

/** The kill switch around one run of OpenVPN, which stays when that has ended. */
interface RaisedKillSwitch {
  readonly addresses: PermittedAddresses
  /** Ends the call that holds it; the kill switch stays. */
  readonly call: TunnelProgram
}

/**
 * Returns a launcher that has Causeway's service block everything before OpenVPN starts, but for OpenVPN's own packets to its servers, and
 * its device (docs/helper.md). The block stays until it is released. A tunnel whose call of the service ends is ended.
 *
 * @param launch starts OpenVPN
 * @param service calls Causeway's service
 */
export function withKillSwitch(launch: Launch, service: HelperOptions): Launch {
  return async (request) => {
    const configuration = request.configuration.toString()
    const { addresses, call } = await raise(service, request, serversOf(configuration))
    try {
      const program = await launch({
        ...request,
        configuration: withAddresses(configuration, addresses),
        killSwitch: true,
      })
      return held(program, call)
    } catch (error) {
      call.end({ hasBegun: false })
      await call.exited
      throw error
    }
  }
}

/** Raises the kill switch. Throws why it couldn't. */
async function raise(
  service: HelperOptions,
  { errorOf, onMessage }: LaunchRequest,
  servers: readonly string[],
): Promise<RaisedKillSwitch> {
  let addresses: PermittedAddresses = new Map()
  let tellRaised: () => void = () => undefined
  const raised = new Promise<undefined>((resolve) => {
    tellRaised = () => {
      resolve(undefined)
    }
  })
  const call = await runHelper(service, {
    command: 'openvpn',
    configuration: servers.map((each) => `remote ${each}\n`).join(''),
    killSwitch: true,
    errorOf,
    onMessage: (message, text) => {
      if (message.message === 'permitted') ({ addresses } = message)
      else if (message.message === 'kill-switch' && message.state === 'on') tellRaised()
      onMessage?.(message, text)
    },
  })
  void call.followLog(() => undefined)
  const exit = await Promise.race([raised, call.exited])
  if (exit !== undefined) throw lost(exit)
  return { addresses, call }
}

/** Returns the program of a tunnel that ends when its call of the service does, and whose end ends that call. */
function held(program: TunnelProgram, call: TunnelProgram): TunnelProgram {
  let isOver = false
  let lostBy: CausewayError | undefined
  void call.exited.then((exit) => {
    if (isOver) return
    lostBy = lost(exit)
    program.end({ hasBegun: true })
  })
  const exited = async (): Promise<ProgramExit> => {
    const exit = await program.exited
    isOver = true
    call.end({ hasBegun: true })
    await call.exited
    return lostBy === undefined || exit.error !== undefined ? exit : { ...exit, error: lostBy }
  }
  return { ...program, exited: exited() }
}

function lost({ error, exitCode }: ProgramExit): CausewayError {
  const details = { reason: 'service', exitCode }
  return error ?? new CausewayError('helper/failed', { variant: 'own-service', details })
}

const proxyLine = /^http-proxy (\S+) (\d+)/m
const serverLine = /^remote (\S+ \d+ \S+)$/gm
/** A server with its options, in a configuration that Causeway wrote. */
const serverEntry = /^(?:remote .*|<connection>\n[^<]*<\/connection>)\n/gm

/** Returns what OpenVPN contacts with a configuration that Causeway wrote: its servers, or its proxy alone. */
export function serversOf(configuration: string): readonly string[] {
  const [, proxy, port] = proxyLine.exec(configuration) ?? []
  if (proxy !== undefined) return [`${proxy} ${String(port)} tcp`]
  return [...configuration.matchAll(serverLine)].map(([, server = '']) => server)
}

/**
 * Returns a configuration with addresses in place of the names of what OpenVPN contacts: behind the kill switch, it could look up none.
 * It contacts each address of a name in turn, and leaves out a server without one.
 */
export function withAddresses(configuration: string, addresses: PermittedAddresses): string {
  const [proxy] = addresses.get(0) ?? []
  if (proxyLine.test(configuration))
    return configuration.replace(
      proxyLine,
      (_line, _host, port: string) => `http-proxy ${proxy ?? ''} ${port}`,
    )
  let number = -1
  return configuration.replace(serverEntry, (entry) => {
    number += 1
    return (addresses.get(number) ?? [])
      .map((address) => entry.replace(/^remote \S+/m, `remote ${address}`))
      .join('')
  })
}
