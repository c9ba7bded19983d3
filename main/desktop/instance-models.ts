import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import type { AppState } from '../../contract/state'
import type { WatchedLogin } from '../connection/expiry-watch'
import { Emitter } from '../emitter'
import { CausewayError } from '../errors'
import type { Instance } from '../portal/instance/instance'
import { resolveLocalized } from '../portal/localized-value'
import type { SystemMessage } from '../portal/portal'
import { serial } from '../serial'
import type { AppServices } from './app-services'
import { InstanceModel } from './instance-model'

/** In the language of the window. */
export interface NewMessages {
  readonly instanceId: string
  readonly texts: readonly string[]
}

/** The instances as the window shows them. */
export class InstanceModels {
  readonly #services: AppServices
  readonly #languages: () => readonly string[]
  readonly #told: (work: Promise<void> | undefined) => Promise<void>
  readonly #onChange: () => void
  readonly #views = new Map<string, InstanceModel>()
  readonly #newMessages: Emitter<NewMessages>
  readonly #inTurn = serial()
  #lastConnections: readonly ConnectionTarget[] = []

  constructor(options: {
    readonly services: AppServices
    /** Those of the person (BCP 47, best first), as they are now. */
    readonly languages: () => readonly string[]
    /** Takes care of a failure that no view is waiting for; never rejects. */
    readonly told: (work: Promise<void> | undefined) => Promise<void>
    readonly onChange: () => void
    /** Told of listeners that throw. */
    readonly onDefect: (error: unknown) => void
  }) {
    const { services, languages, told, onChange, onDefect } = options
    this.#services = services
    this.#languages = languages
    this.#told = told
    this.#onChange = onChange
    this.#newMessages = new Emitter(onDefect)
  }

  /** With this state of our own connection. */
  slices(connection: ConnectionState): AppState['instances'] {
    return [...this.#views.values()].map((view) => this.#slice(view, connection))
  }

  find(id: string): InstanceModel | undefined {
    return this.#views.get(id)
  }

  /** The instance of this id. Throws `usage/unknown-instance`. */
  need(id: string): InstanceModel {
    const view = this.#views.get(id)
    if (view !== undefined) return view
    throw new CausewayError(
      'usage/unknown-instance',
      'This instance is no longer in your list. Add it again with its address.',
    )
  }

  /** Reads the list. Logins and what else is known of them are read afterwards by themselves. */
  list(): Promise<void> {
    // One after another, so that an older answer never replaces a newer one.
    return this.#inTurn(async () => {
      this.#show(await this.#services.instances.all())
    })
  }

  /** Resolves when the list shows what the services hold. */
  listed(): Promise<void> {
    return this.#inTurn(() => undefined)
  }

  /** Reads which profiles were connected last. */
  async readLastConnections(): Promise<void> {
    this.useLastConnections(await this.#services.lastConnections.all())
  }

  useLastConnections(all: readonly ConnectionTarget[]): void {
    this.#lastConnections = all
    this.#onChange()
  }

  /** The logins that there are, and the one whose end was that of the tunnel. */
  endingLogins(connection: ConnectionState): readonly WatchedLogin[] {
    const over =
      connection.state === 'failed' && connection.error.code === 'session/over'
        ? connection.target
        : undefined
    return [...this.#views.values()].flatMap(({ instance, validity, isSignedOut }) =>
      validity === undefined || (isSignedOut && over?.instanceId !== instance.id)
        ? []
        : [{ ...validity, instanceId: instance.id }],
    )
  }

  /** Calls back with messages that an instance had not said before, newest first; returns how to stop it. */
  onNewMessages(listener: (news: NewMessages) => void): () => void {
    return this.#newMessages.on(listener)
  }

  /** Throws `usage/unknown-instance`. */
  async markMessagesRead(instanceId: string, ids: readonly string[]): Promise<void> {
    this.need(instanceId)
    const marked = this.#services.unreadMessages.markRead(instanceId, ids)
    this.#onChange()
    await marked
  }

  dispose(): void {
    for (const view of this.#views.values()) view.close()
    this.#newMessages.clear()
  }

  #show(instances: readonly Instance[]): void {
    const before = new Map(this.#views)
    this.#views.clear()
    for (const instance of instances) {
      const known = before.get(instance.id)
      // Another client id has other tokens.
      const same = known?.instance.clientId === instance.clientId ? known : undefined
      same?.use(instance)
      if (same !== undefined) before.delete(instance.id)
      this.#views.set(instance.id, same ?? this.#open(instance))
    }
    for (const gone of before.values()) gone.close()
    this.#onChange()
    for (const view of this.#views.values()) {
      if (!view.neverRead) continue
      void this.#told(view.readServices())
      void this.#told(view.readLogin())
    }
  }

  #open(instance: Instance): InstanceModel {
    return new InstanceModel({
      instance,
      session: this.#services.session(instance),
      profiles: (signal) => this.#services.read.vpn(instance, (portal) => portal.profiles(signal), signal),
      messages: async (signal) => {
        const read = await this.#services.read.vpn(instance, (portal) => portal.messages(signal), signal)
        if (!signal.aborted) await this.#seeMessages(instance.id, read.data)
        return read
      },
      isUnread: (message) => this.#services.unreadMessages.isUnread(instance.id, message),
      validity: () => this.#services.validity(instance),
      services: () => this.#services.knownServices(instance),
      onChange: this.#onChange,
    })
  }

  async #seeMessages(instanceId: string, messages: readonly SystemMessage[]): Promise<void> {
    const fresh = await this.#services.unreadMessages.see(instanceId, messages)
    if (fresh.length === 0 || !this.#views.has(instanceId)) return
    const texts = fresh.map(({ message }) => resolveLocalized(message, this.#languages()))
    this.#newMessages.emit({ instanceId, texts })
  }

  #slice(view: InstanceModel, connection: ConnectionState): AppState['instances'][number] {
    const last = this.#lastConnections.find(({ instanceId }) => instanceId === view.instance.id)
    const slice = {
      ...view.slice(this.#languages()),
      ...(last === undefined ? {} : { lastProfileId: last.profileId }),
    }
    const until = this.#services.browserLogins.of(slice.id)?.until
    const browser = until === undefined ? {} : { browser: { until } }
    if (slice.login === 'waiting-for-browser') return { ...slice, ...browser }
    // A login on the way to a connection waits for the browser just the same.
    if (connection.state !== 'authorizing' || connection.target.instanceId !== slice.id) return slice
    return { ...slice, ...browser, login: 'waiting-for-browser', loginError: undefined }
  }
}
