import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState } from '../../../contract/connection'
import type { AppState } from '../../../contract/state'
import type { WatchedLogin } from '../../connection/expiry-watch'
import { Emitter } from '../../emitter'
import { CausewayError } from '../../errors'
import type { Instance } from '../../portal/instance/instance'
import { resolveLocalized } from '../../portal/localized-value'
import type { SystemMessage, VpnProtocol } from '../../portal/portal'
import { serial } from '../../serial'
import type { Services } from '../../app/services'
import { InstanceModel } from './instance-model'

/** New messages of an instance, in the language of the window. */
export interface NewMessages {
  readonly instanceId: string
  readonly texts: readonly string[]
}

interface InstanceModelsOptions {
  readonly services: Services
  /** Returns the user's current languages (BCP 47, best first). */
  readonly languages: () => readonly string[]
  /** Returns the protocols that this computer can run, as far as is known. */
  readonly runnable: () => readonly VpnProtocol[]
  /** Handles a failure that no view waits for; never rejects. */
  readonly report: (work: Promise<void> | undefined) => Promise<void>
  readonly onChange: () => void
  /** Called with the errors of listeners. */
  readonly onDefect: (error: unknown) => void
}

/** The models of all instances. */
export class InstanceModels {
  readonly #services: Services
  readonly #options: InstanceModelsOptions
  readonly #models = new Map<string, InstanceModel>()
  #mayLook = true
  readonly #newMessages: Emitter<NewMessages>
  readonly #inTurn = serial()
  #wasListed = false

  constructor(options: InstanceModelsOptions) {
    this.#services = options.services
    this.#options = options
    this.#newMessages = new Emitter(options.onDefect)
  }

  /** Returns the slices, given the state of this process's connection. */
  slices(connection: ConnectionState): AppState['instances'] {
    return [...this.#models.values()].map((model) => this.#slice(model, connection))
  }

  find(id: string): InstanceModel | undefined {
    return this.#models.get(id)
  }

  /** Returns the instance with this id. Throws `usage/unknown-instance`. */
  need(id: string): InstanceModel {
    const model = this.#models.get(id)
    if (model !== undefined) return model
    throw new CausewayError('usage/unknown-instance')
  }

  /** Reads the list of instances, and starts reading logins and services. */
  list(): Promise<void> {
    // Serial, so that an older answer never replaces a newer one.
    return this.#inTurn(async () => {
      this.#show(await this.#services.instances.all())
    })
  }

  /** Reads again what the terminal command may have changed: the list, and the logins. */
  async look(): Promise<void> {
    await this.list()
    if (!this.#mayLook) return
    try {
      for (const model of this.#models.values()) await model.lookForLogin()
    } catch {
      // Each further time, a locked key store would ask for its password again, in a dialog that takes the window's focus.
      this.#mayLook = false
    }
  }

  /** Resolves when the list is up to date. */
  listed(): Promise<void> {
    return this.#inTurn(() => undefined)
  }

  /** Reads the instances' entries in the lists of organizations again. */
  async readListings(): Promise<void> {
    await Promise.all([...this.#models.values()].map((model) => model.readListing()))
  }

  /** Returns the current logins, and the expired one that ended the tunnel. */
  endingLogins(connection: ConnectionState): readonly WatchedLogin[] {
    const over =
      connection.state === 'failed' && connection.error.code === 'session/over'
        ? connection.target
        : undefined
    return [...this.#models.values()].flatMap(({ instance, validity, isSignedOut }) =>
      validity === undefined || (isSignedOut && over?.instanceId !== instance.id)
        ? []
        : [{ ...validity, instanceId: instance.id }],
    )
  }

  /** Subscribes to new messages, newest first; returns a function that unsubscribes. */
  onNewMessages(listener: (news: NewMessages) => void): () => void {
    return this.#newMessages.on(listener)
  }

  /** Throws `usage/unknown-instance`. */
  async markMessagesRead(instanceId: string, ids: readonly string[]): Promise<void> {
    this.need(instanceId)
    const marked = this.#services.unreadMessages.markRead(instanceId, ids)
    this.#options.onChange()
    await marked
  }

  dispose(): void {
    for (const model of this.#models.values()) model.close()
    this.#newMessages.clear()
  }

  #show(instances: readonly Instance[]): void {
    const shown = [...this.#models.values()].map(({ instance }) => instance)
    // Each time that the window comes to the front reads them again, mostly without changes.
    if (this.#wasListed && isDeepStrictEqual(instances, shown)) return
    const before = new Map(this.#models)
    const ids = this.#wasListed ? new Set(before.keys()) : undefined
    this.#wasListed = true
    this.#models.clear()
    for (const instance of instances) {
      const known = before.get(instance.id)
      const same = known !== undefined && isUsedAlike(known.instance, instance) ? known : undefined
      same?.use(instance)
      if (same !== undefined) before.delete(instance.id)
      this.#models.set(instance.id, same ?? this.#open(instance, ids?.has(instance.id) === false))
    }
    for (const gone of before.values()) gone.close()
    this.#options.onChange()
    for (const model of this.#models.values()) {
      if (!model.neverRead) continue
      void this.#options.report(model.readServices())
      void this.#options.report(model.readListing())
      void this.#options.report(model.readLogin())
    }
  }

  #open(instance: Instance, isNew: boolean): InstanceModel {
    return new InstanceModel({
      instance,
      isNew,
      session: this.#services.session(instance),
      profiles: (signal) => this.#services.read.vpn(instance, (portal) => portal.profiles(signal), signal),
      lastProfiles: () => this.#services.read.vpn.cached(instance, (portal) => portal.profiles()),
      messages: async (signal) => {
        const read = await this.#services.read.vpn(
          instance,
          async (portal) => portal.messages?.(signal),
          signal,
        )
        if (!signal.aborted && read.data !== undefined) await this.#seeMessages(instance.id, read.data.items)
        return read
      },
      runnable: this.#options.runnable,
      isUnread: (message) => this.#services.unreadMessages.isUnread(instance.id, message),
      validity: () => this.#services.validity(instance),
      services: () => this.#services.knownServices(instance),
      listing: () => this.#services.directory.listing(instance),
      onChange: this.#options.onChange,
      onDefect: this.#options.onDefect,
    })
  }

  async #seeMessages(instanceId: string, messages: readonly SystemMessage[]): Promise<void> {
    const fresh = await this.#services.unreadMessages.see(instanceId, messages)
    if (fresh.length === 0 || !this.#models.has(instanceId)) return
    const texts = fresh.map(({ message }) => resolveLocalized(message, this.#options.languages()))
    this.#newMessages.emit({ instanceId, texts })
  }

  #slice(model: InstanceModel, connection: ConnectionState): AppState['instances'][number] {
    const slice = model.slice(this.#options.languages())
    const until = this.#services.browserLogins.of(slice.id)?.until
    const browser = until === undefined ? {} : { browser: { until } }
    if (slice.login === 'waiting-for-browser') return { ...slice, ...browser }
    // A login during connecting also waits for the browser.
    if (connection.state !== 'authorizing' || connection.target.instanceId !== slice.id) return slice
    return { ...slice, ...browser, login: 'waiting-for-browser', loginError: undefined }
  }
}

/** Another client ID or API version has other tokens, and another location other profiles. */
function isUsedAlike(one: Instance, other: Instance): boolean {
  const hasSameTokens = one.clientId === other.clientId && one.apiVersion === other.apiVersion
  return hasSameTokens && isDeepStrictEqual(one.organization, other.organization)
}
