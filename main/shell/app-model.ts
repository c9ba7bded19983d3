import { type AppState, type KillSwitchSlice, settingsSlice } from '../../preload/contract'
import type { View } from '../../preload/views'
import type { ConnectionTarget } from '../connection/state'
import { CausewayError, toErrorReport } from '../errors'
import type { WatchedLogin } from '../expiry/expiry-watch'
import type { Instance } from '../instance/instance'
import type { TunnelHolder } from '../lock/tunnel-messages'
import { type Settings, settingsSchema } from '../settings/settings'
import { resolveLocalized } from '../vpn-api/localized-value'
import type { SystemMessage } from '../vpn-api/vpn-api'
import { AppLanguage } from './app-language'
import type { AppServices } from './app-services'
import { AttachmentsModel } from './attachments-model'
import { connectionSlice } from '../connection/connection-slice'
import { TrafficMeter } from '../traffic/traffic-meter'
import { InstanceView } from './instance-view'
import type { Notices } from './notices'

export interface AppModelOptions {
  readonly services: AppServices
  readonly notices: Notices
  /** The languages to use whatever the setting says, then those of the system (BCP 47, best first). */
  readonly chosenLanguages: readonly string[]
  readonly systemLanguages: readonly string[]
  /** Told of defects, for the log. */
  readonly onDefect: (error: unknown) => void
}

/** In the language of the window. */
export interface NewMessages {
  readonly instanceId: string
  readonly texts: readonly string[]
}

function isLoginEnd(code: string): boolean {
  return code === 'oauth/login-required' || code === 'session/over'
}

/** What the window knows: derived from the services, and sent slice by slice as it changes. */
export class AppModel {
  readonly notices: Notices
  readonly attachments: AttachmentsModel
  readonly language = new AppLanguage()
  readonly traffic: TrafficMeter
  readonly #services: AppServices
  readonly #options: AppModelOptions
  readonly #views = new Map<string, InstanceView>()
  readonly #listeners = new Set<(changed: Partial<AppState>) => void>()
  readonly #newMessages = new Set<(news: NewMessages) => void>()
  readonly #subscriptions: readonly (() => void)[]
  #settings: AppState['settings'] = settingsSlice.parse(settingsSchema.parse({}))
  #killSwitchHere: KillSwitchSlice['here'] = 'not-on-this-system'
  /** Another process that has the tunnel. */
  #holder: TunnelHolder | undefined
  #listing: Promise<void> = Promise.resolve()
  #usingSettings: Promise<void> = Promise.resolve()
  #lastConnections: readonly ConnectionTarget[] = []
  #wanted: View | undefined

  constructor(options: AppModelOptions) {
    const { services } = options
    this.notices = options.notices
    this.#services = services
    this.#options = options
    this.traffic = new TrafficMeter(services.trafficSource)
    this.attachments = new AttachmentsModel({
      services,
      instance: (id) => this.instance(id).instance,
      onChange: (slice) => {
        this.#send(slice)
      },
    })
    let before = services.connection.state
    this.#subscriptions = [
      this.notices.onChange(() => {
        this.#send('notices')
      }),
      services.instances.onChange(() => {
        void this.#told(this.#listInstances())
      }),
      services.settings.onChange((settings) => {
        void this.#told(this.#useSettings(settings))
      }),
      services.killSwitch.watch(() => {
        this.#send('killSwitch')
      }),
      services.onServicesFound((instanceId) => {
        void this.#told(this.#views.get(instanceId)?.readServices())
      }),
      services.lastConnections.onChange((all) => {
        this.#useLastConnections(all)
      }),
      services.tunnel.watch((holder) => {
        this.#holder = holder
        // It may have remembered another one.
        if (holder?.connection.state === 'connected') void this.#told(this.#readLastConnections())
        this.#send('connection', 'heldBy')
      }),
      services.connection.onChange((state) => {
        const left = before
        before = state
        this.#send('connection', 'heldBy')
        if (state.state === 'connected') {
          const view = this.#views.get(state.target.instanceId)
          void this.#told(view?.readCertificate())
          void this.#told(view?.readMissing())
        }
        // Where no login was asked for, nobody else learns that there is none any more.
        if (state.state === 'failed' && isLoginEnd(state.error.code))
          void this.#told(this.#views.get(state.target.instanceId)?.readLogin())
        if (left.state !== 'authorizing' && state.state !== 'authorizing') return
        this.#send('instances')
        if (left.state === 'authorizing')
          void this.#told(this.#views.get(left.target.instanceId)?.readLogin())
      }),
    ]
  }

  /** All that is known now. */
  state(): AppState {
    return {
      wording: this.language.wording,
      settings: this.#settings,
      killSwitch: { here: this.#killSwitchHere, blocks: this.#services.killSwitch.blocks() },
      instances: [...this.#views.values()].map((view) => this.#instanceSlice(view)),
      ...this.#connectionShown(),
      notices: [...this.notices.all],
      wanted: this.#wanted,
      ...this.attachments.slices(),
    }
  }

  /** Calls back with the slices that changed; returns how to stop it. */
  onChange(listener: (changed: Partial<AppState>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads settings and instances; what cannot be read becomes a notice. Logins are read afterwards by themselves. */
  async start(): Promise<void> {
    await Promise.all([
      this.readSettings(),
      this.#told(this.#listInstances()),
      this.#told(this.#readLastConnections()),
      this.refreshKillSwitch(),
    ])
  }

  /** Shows the settings as they are now: the terminal command, or the system, may have changed them. */
  readSettings(): Promise<void> {
    const read = async (): Promise<void> => {
      await this.#useSettings(await this.#services.settings.all())
    }
    return this.#told(read())
  }

  /** Asks the window to go to this view; one that is not open yet does when it opens. */
  goTo(view: View): void {
    this.#wanted = view
    this.#send('wanted')
  }

  /** The window shows this view; another one that was asked for meanwhile is still wanted. */
  arrivedAt(view: View): void {
    if (this.#wanted !== view) return
    this.#wanted = undefined
    this.#send('wanted')
  }

  /** Looks whether the kill switch can be had on this computer by now, and says so. */
  async refreshKillSwitch(): Promise<KillSwitchSlice['here']> {
    this.#killSwitchHere = await this.#services.killSwitch.here()
    this.#send('killSwitch')
    return this.#killSwitchHere
  }

  /** Calls back with messages that an instance had not said before, newest first; returns how to stop it. */
  onNewMessages(listener: (news: NewMessages) => void): () => void {
    this.#newMessages.add(listener)
    return () => this.#newMessages.delete(listener)
  }

  /** Throws `usage/unknown-instance`. */
  async markMessagesRead(instanceId: string, ids: readonly string[]): Promise<void> {
    this.instance(instanceId)
    const marked = this.#services.unreadMessages.markRead(instanceId, ids)
    this.#send('instances')
    await marked
  }

  /** The instance of this id. Throws `usage/unknown-instance`. */
  instance(id: string): InstanceView {
    const view = this.#views.get(id)
    if (view !== undefined) return view
    throw new CausewayError(
      'usage/unknown-instance',
      'This instance is not in the list any more. Add it again.',
    )
  }

  /** Whether the connection that is shown is one of another process. */
  showsOther(): boolean {
    const { state } = this.#services.connection.state
    return this.#holder !== undefined && (state === 'idle' || state === 'disconnected' || state === 'failed')
  }

  /** The logins that there are, and the one whose end was that of the tunnel. */
  endingLogins(): readonly WatchedLogin[] {
    const { state } = this.#services.connection
    const over = state.state === 'failed' && state.error.code === 'session/over' ? state.target : undefined
    return [...this.#views.values()].flatMap(({ instance, validity, isSignedOut }) =>
      validity === undefined || (isSignedOut && over?.instanceId !== instance.id)
        ? []
        : [{ ...validity, instanceId: instance.id }],
    )
  }

  /** Resolves when the list shows what the services hold. */
  async listed(): Promise<void> {
    await this.#listing
  }

  /** Resolves when the settings are in use, and the language with them. */
  async settled(): Promise<void> {
    await this.#usingSettings
  }

  dispose(): void {
    this.attachments.dispose()
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    for (const view of this.#views.values()) view.close()
    this.#listeners.clear()
    this.#newMessages.clear()
  }

  #listInstances(): Promise<void> {
    // One after another, so that an older answer never replaces a newer one.
    const listing = this.#listing.then(async () => {
      this.#showInstances(await this.#services.instances.all())
    })
    this.#listing = listing.catch(() => undefined)
    return listing
  }

  #showInstances(instances: readonly Instance[]): void {
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
    this.#send('instances')
    for (const view of this.#views.values()) {
      if (!view.neverRead) continue
      void this.#told(view.readServices())
      void this.#told(view.readLogin())
    }
  }

  #open(instance: Instance): InstanceView {
    return new InstanceView({
      instance,
      session: this.#services.session(instance),
      profiles: (signal) => this.#services.read.vpn(instance, (api) => api.profileList(signal), signal),
      messages: async (signal) => {
        const read = await this.#services.read.vpn(instance, (api) => api.systemMessages(signal), signal)
        if (!signal.aborted) await this.#seeMessages(instance.id, read.data)
        return read
      },
      isUnread: (message) => this.#services.unreadMessages.isUnread(instance.id, message),
      certificate: () => this.#services.keyPairs(instance).load(),
      services: () => this.#services.knownServices(instance),
      onChange: () => {
        this.#send('instances')
      },
    })
  }

  async #seeMessages(instanceId: string, messages: readonly SystemMessage[]): Promise<void> {
    const fresh = await this.#services.unreadMessages.see(instanceId, messages)
    if (fresh.length === 0 || !this.#views.has(instanceId)) return
    const texts = fresh.map(({ message }) => resolveLocalized(message, this.#languages()))
    for (const listener of this.#newMessages) listener({ instanceId, texts })
  }

  async #readLastConnections(): Promise<void> {
    this.#useLastConnections(await this.#services.lastConnections.all())
  }

  #useLastConnections(all: readonly ConnectionTarget[]): void {
    this.#lastConnections = all
    this.#send('instances')
  }

  #instanceSlice(view: InstanceView): AppState['instances'][number] {
    const last = this.#lastConnections.find(({ instanceId }) => instanceId === view.instance.id)
    const slice = {
      ...view.slice(this.#languages()),
      ...(last === undefined ? {} : { lastProfileId: last.profileId }),
    }
    const { state } = this.#services.connection
    // A login on the way to a connection waits for the browser just the same.
    if (slice.login === 'waiting-for-browser' || !('target' in state) || state.state !== 'authorizing')
      return slice
    if (state.target.instanceId !== slice.id) return slice
    return { ...slice, login: 'waiting-for-browser', loginError: undefined }
  }

  /** Our own connection, unless there is none and another process of the same person has one. */
  #connectionShown(): Pick<AppState, 'connection' | 'heldBy'> {
    const own = connectionSlice(this.#services.connection.state)
    if (this.#holder === undefined || !this.showsOther()) return { connection: own, heldBy: undefined }
    const { kind, pid, connection } = this.#holder
    return { connection, heldBy: { kind, pid } }
  }

  #useSettings(settings: Settings): Promise<void> {
    // One after another, so that older texts never replace newer ones.
    const using = this.#usingSettings.then(async () => {
      this.#settings = settingsSlice.parse(settings)
      await this.language.use(this.#languages())
      this.#send('settings', 'wording', 'instances')
    })
    this.#usingSettings = using.catch(() => undefined)
    return using
  }

  #languages(): readonly string[] {
    const { language } = this.#settings
    const { chosenLanguages, systemLanguages } = this.#options
    return [...chosenLanguages, ...(language === 'system' ? [] : [language]), ...systemLanguages]
  }

  #send(...names: readonly (keyof AppState)[]): void {
    const state = this.state()
    if (names.includes('connection')) this.traffic.follow(state.connection)
    const changed = Object.fromEntries(names.map((name) => [name, state[name]]))
    for (const listener of this.#listeners) listener(changed)
  }

  /** Makes a notice of a failure that no view is waiting for; never rejects. */
  async #told(work: Promise<void> | undefined): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!(error instanceof CausewayError)) this.#options.onDefect(error)
      this.notices.add(toErrorReport(error))
    }
  }
}
