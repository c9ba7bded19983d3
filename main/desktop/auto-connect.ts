import type { ConnectionTarget } from '../../contract/connection'
import type { Settings } from '../../contract/settings'
import type { ConnectOptions } from '../connection/connection'
import { CausewayError } from '../errors'
import type { Instance } from '../portal/instance/instance'

/** What connecting by itself needs of the services (main/app/services.ts). */
export interface AutoConnectServices {
  readonly settings: { all(): Promise<Settings> }
  readonly instances: { all(): Promise<readonly Instance[]> }
  readonly lastConnections: { all(): Promise<readonly ConnectionTarget[]> }
  readonly connection: {
    connect(target: ConnectionTarget, options: ConnectOptions): Promise<'connected' | 'disconnected'>
  }
}

/**
 * At the start of the app, with the setting `autoConnect`: connects to what was connected last, where that is still
 * there. No browser is opened, no tunnel of another process is ended, and a network that is not there yet is waited for.
 * What goes wrong is in the state of the connection; only defects are thrown.
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
    // The window shows it: as the connection's failure, or as a notice about the file that cannot be read.
    if (!(error instanceof CausewayError)) throw error
  }
}
