import type { ConnectionTarget } from '../../../contract/connection'
import type { Settings } from '../../../contract/settings'
import type { ConnectOptions } from '../../connection/connect-options'
import { CausewayError } from '../../errors'
import type { Instance } from '../../portal/instance/instance'

/** The services that auto-connect needs (main/app/services.ts). */
export interface AutoConnectServices {
  readonly settings: { all(): Promise<Settings> }
  readonly instances: { all(): Promise<readonly Instance[]> }
  readonly lastConnections: { all(): Promise<readonly ConnectionTarget[]> }
  readonly connection: {
    connect(target: ConnectionTarget, options: ConnectOptions): Promise<'connected' | 'disconnected'>
  }
}

/**
 * Connects to the last profile at the start of the app, if the setting `autoConnect` is on and the instance still exists.
 * Opens no browser, ends no tunnel of another process, and waits for a network. Errors are in the state of the connection;
 * only defects are thrown.
 */
export async function autoConnect(
  services: AutoConnectServices,
  options: Pick<ConnectOptions, 'mode'> = {},
): Promise<void> {
  try {
    if (!(await services.settings.all()).autoConnect) return
    const [last] = await services.lastConnections.all()
    const instances = await services.instances.all()
    if (last === undefined || !instances.some(({ id }) => id === last.instanceId)) return
    await services.connection.connect(last, { ...options, login: 'never', patient: true })
  } catch (error) {
    // The window shows it, as the failed connection or as a notice about an unreadable file.
    if (!(error instanceof CausewayError)) throw error
  }
}
