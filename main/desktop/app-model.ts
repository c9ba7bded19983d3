import type { ConnectionState } from '../../contract/connection'
import type { AppState, KillSwitchSlice } from '../../contract/state'
import type { View } from '../../contract/views'
import { Emitter } from '../emitter'
import { CausewayError, toErrorReport } from '../errors'
import type { WatchedLogin } from '../connection/expiry-watch'
import type { TunnelHolder } from '../connection/lock/tunnel-messages'
import { TrafficMeter } from '../platform/traffic/traffic-meter'
import type { AppLanguage } from './app-language'
import type { AppServices } from './app-services'
import { AttachmentsModel } from './attachments-model'
import { ConnectionWatch } from './connection-watch'
import type { InstanceModel } from './instance-model'
import { InstanceModels } from './instance-models'
import type { Notices } from './notices'
import { SettingsModel } from './settings-model'

export interface AppModelOptions {
  readonly services: AppServices
  readonly notices: Notices
  /** The languages to use whatever the setting says, then those of the system (BCP 47, best first). */
  readonly chosenLanguages: readonly string[]
  readonly systemLanguages: readonly string[]
  /** Told of defects, for the log. */
  readonly onDefect: (error: unknown) => void
}

function isLoginEnd(code: string): boolean {
  return code === 'oauth/login-required' || code === 'session/over'
}

/** What the window knows: derived from the services, and sent slice by slice as it changes. */
export class AppModel {
  readonly notices: Notices
  readonly settings: SettingsModel
  readonly instances: InstanceModels
  readonly attachments: AttachmentsModel
  readonly traffic: TrafficMeter
  readonly watch: ConnectionWatch
  readonly #services: AppServices
  readonly #options: AppModelOptions
  readonly #changes: Emitter<Partial<AppState>>
  readonly #subscriptions: readonly (() => void)[]
  /** How each slice is built. Only the ones that changed are. */
  readonly #slices: { readonly [Name in keyof AppState]-?: () => AppState[Name] } = {
    wording: () => this.language.wording,
    settings: () => this.settings.slice,
    killSwitch: () => ({ here: this.#killSwitchHere, blocks: this.#services.killSwitch.blocks() }),
    instances: () => this.instances.slices(this.#services.connection.state),
    connection: () => this.#shownHolder()?.connection ?? this.#services.connection.state,
    heldBy: () => {
      const holder = this.#shownHolder()
      return holder && { kind: holder.kind, pid: holder.pid }
    },
    notices: () => [...this.notices.all],
    wanted: () => this.#wanted,
    shown: () => this.#shown,
    inFront: () => this.#inFront,
    transfers: () => this.attachments.transfers(),
    deletions: () => this.attachments.deletions.all(),
  }
  #killSwitchHere: KillSwitchSlice['here'] = 'not-on-this-system'
  /** Another process that has the tunnel. */
  #holder: TunnelHolder | undefined
  #wanted: View | undefined
  #shown: AppState['shown'] = {}
  #inFront = false

  constructor(options: AppModelOptions) {
    const { services, notices, chosenLanguages, systemLanguages, onDefect } = options
    this.notices = notices
    this.#services = services
    this.#options = options
    this.#changes = new Emitter(onDefect)
    this.traffic = new TrafficMeter(services.trafficSource)
    this.watch = new ConnectionWatch(this.traffic, services.connectionLog, onDefect)
    this.settings = new SettingsModel({
      settings: services.settings,
      chosenLanguages,
      systemLanguages,
      onChange: (hasOtherWords) => {
        // The words are many: they are sent where they are news.
        this.#send('settings', 'instances', ...(hasOtherWords ? (['wording'] as const) : []))
      },
    })
    this.instances = new InstanceModels({
      services,
      languages: () => this.settings.languages,
      told: (work) => this.#told(work),
      onChange: () => {
        this.#send('instances')
      },
      onDefect,
    })
    this.attachments = new AttachmentsModel({
      services,
      instance: (id) => this.instance(id).instance,
      onChange: (slice) => {
        this.#send(slice)
      },
    })
    this.#subscriptions = this.#subscribe()
  }

  /** The words of now. */
  get language(): AppLanguage {
    return this.settings.language
  }

  /** All that is known now. */
  state(): AppState {
    return this.#build(Object.keys(this.#slices) as (keyof AppState)[]) as AppState
  }

  /** Calls back with the slices that changed; returns how to stop it. */
  onChange(listener: (changed: Partial<AppState>) => void): () => void {
    return this.#changes.on(listener)
  }

  /** Reads settings and instances; what cannot be read becomes a notice. Logins are read afterwards by themselves. */
  async start(): Promise<void> {
    await Promise.all([
      this.readSettings(),
      this.#told(this.instances.list()),
      this.#told(this.instances.readLastConnections()),
      this.refreshKillSwitch(),
    ])
  }

  /** Shows the settings as they are now; what cannot be read becomes a notice. */
  readSettings(): Promise<void> {
    return this.#told(this.settings.read())
  }

  /** The instance of this id. Throws `usage/unknown-instance`. */
  instance(id: string): InstanceModel {
    return this.instances.need(id)
  }

  /** The logins that there are, and the one whose end was that of the tunnel. */
  endingLogins(): readonly WatchedLogin[] {
    return this.instances.endingLogins(this.#services.connection.state)
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

  /** Of several instances, the one whose profiles the window shows; undefined once there is no window. */
  setShownInstance(instanceId: string | undefined): void {
    if (this.#shown.instanceId === instanceId) return
    this.#shown = instanceId === undefined ? {} : { instanceId }
    this.#send('shown')
  }

  /** Whether the person is at the window: what is new is told by the desktop, or was seen in the window, never both. */
  setInFront(inFront: boolean): void {
    if (this.#inFront === inFront) return
    this.#inFront = inFront
    this.#send('inFront')
  }

  /** Looks whether the kill switch can be had on this computer by now, and says so. */
  async refreshKillSwitch(): Promise<KillSwitchSlice['here']> {
    this.#killSwitchHere = await this.#services.killSwitch.here()
    this.#send('killSwitch')
    return this.#killSwitchHere
  }

  /** Whether the connection that is shown is one of another process. */
  showsOther(): boolean {
    const { state } = this.#services.connection.state
    return this.#holder !== undefined && (state === 'idle' || state === 'disconnected' || state === 'failed')
  }

  dispose(): void {
    this.attachments.dispose()
    this.watch.stop()
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    this.instances.dispose()
    this.#changes.clear()
  }

  #subscribe(): readonly (() => void)[] {
    const services = this.#services
    let before = services.connection.state
    return [
      this.notices.onChange(() => {
        this.#send('notices')
      }),
      services.instances.onChange(() => {
        void this.#told(this.instances.list())
      }),
      services.settings.onChange((settings) => {
        void this.#told(this.settings.use(settings))
      }),
      services.killSwitch.watch(() => {
        this.#send('killSwitch')
      }),
      services.onServicesFound((instanceId) => {
        void this.#told(this.instances.find(instanceId)?.readServices())
      }),
      services.browserLogins.onChange(() => {
        this.#send('instances')
      }),
      services.lastConnections.onChange((all) => {
        this.instances.useLastConnections(all)
      }),
      services.tunnel.watch((holder) => {
        this.#holder = holder
        // It may have remembered another one.
        if (holder?.connection.state === 'connected') void this.#told(this.instances.readLastConnections())
        this.#send('connection', 'heldBy')
      }),
      services.connection.onChange((state) => {
        const left = before
        before = state
        this.#follow(left, state)
      }),
    ]
  }

  /** Our own connection has gone from one state into another. */
  #follow(left: ConnectionState, state: ConnectionState): void {
    this.#send('connection', 'heldBy')
    if (state.state === 'connected') {
      const view = this.instances.find(state.target.instanceId)
      void this.#told(view?.readValidity())
      void this.#told(view?.readMissing())
    }
    // Where no login was asked for, nobody else learns that there is none any more.
    if (state.state === 'failed' && isLoginEnd(state.error.code))
      void this.#told(this.instances.find(state.target.instanceId)?.readLogin())
    if (left.state !== 'authorizing' && state.state !== 'authorizing') return
    this.#send('instances')
    if (left.state === 'authorizing')
      void this.#told(this.instances.find(left.target.instanceId)?.readOtherLogin())
  }

  /** The process whose connection is shown, where that is not our own. */
  #shownHolder(): TunnelHolder | undefined {
    return this.showsOther() ? this.#holder : undefined
  }

  #build(names: readonly (keyof AppState)[]): Partial<AppState> {
    return Object.fromEntries(names.map((name) => [name, this.#slices[name]()]))
  }

  #send(...names: readonly (keyof AppState)[]): void {
    const changed = this.#build(names)
    if (changed.connection !== undefined) this.traffic.follow(changed.connection)
    this.#changes.emit(changed)
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
