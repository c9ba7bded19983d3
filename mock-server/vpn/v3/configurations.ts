import { z } from 'zod'
import { Collection } from '../../state/collection'
import type { Environment } from '../../state/environment'
import { dropOldest } from '../drop-oldest'
import { vpnTransports } from '../profile'

const configurationSchema = z.object({
  authorizationId: z.string(),
  userId: z.string(),
  profileId: z.string(),
  transport: z.enum(vpnTransports),
  /** The last number of the client's addresses in WireGuard. */
  client: z.int().exactOptional(),
  /** A serial number, which orders configurations with the same time. */
  serial: z.int(),
})
type Kept = z.infer<typeof configurationSchema>

/** A configuration issued by `/connect`, stored by its common name (OpenVPN) or public key (WireGuard). */
export interface Configuration extends Kept {
  id: string
}

/** The maximum number of configurations. The oldest are dropped first. */
const maxConfigurations = 10_000

/** The configurations in use. */
export class Configurations {
  readonly #kept: Collection<Kept>
  #lastSerial: number

  constructor({ persistence }: Pick<Environment, 'persistence'>) {
    this.#kept = new Collection(persistence, 'vpn3-configurations', configurationSchema)
    this.#lastSerial = Math.max(0, ...this.#kept.values().map(({ serial }) => serial))
  }

  /** Returns all configurations, oldest first. */
  get all(): Configuration[] {
    return this.#kept
      .entries()
      .map(([id, kept]) => ({ id, ...kept }))
      .sort((one, other) => one.serial - other.serial)
  }

  add(id: string, configuration: Omit<Kept, 'serial'>): void {
    dropOldest(this.#kept, maxConfigurations, ({ serial }) => serial)
    this.#lastSerial += 1
    this.#kept.set(id, { ...configuration, serial: this.#lastSerial })
  }

  /** Returns false if there is no configuration with this id. */
  remove(id: string): boolean {
    return this.#kept.delete(id)
  }

  clear(): void {
    this.#kept.clear()
  }
}
