import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState } from '../../../contract/connection'
import { isUnderWay } from '../../../contract/connection-summary'
import type { AppState, HelperSlice, KillSwitchSlice } from '../../../contract/state'
import type { View } from '../../../contract/views'
import { Emitter } from '../../emitter'
import { CausewayError, toErrorReport } from '../../errors'
import type { WatchedLogin } from '../../connection/expiry-watch'
import type { TunnelHolder } from '../../connection/lock/tunnel-messages'
import { TrafficMeter } from '../../platform/traffic/traffic-meter'
import type { AppLanguage } from './app-language'
import type { Services } from '../../app/services'
import type { VpnProtocol } from '../../portal/portal'
import { runnableProtocols } from '../../privilege/wireguard-here'
import { AttachmentsModel } from './attachments-model'
import { ConnectionWatch } from './connection-watch'
import type { InstanceModel } from './instance-model'
import { InstanceModels } from './instance-models'
import type { Notices } from './notices'
import { SettingsModel } from './settings-model'
import { UpdateModel } from './update-model'

/** Notices that names are looked up outside the tunnel. */
const namesOutside: readonly string[] = ['helper/dns-not-set', 'connection/no-dns-servers']

export interface AppModelOptions {
  readonly services: Services
  readonly notices: Notices
  /** The languages that override the setting, and those of the system (BCP 47, best first). */
  readonly chosenLanguages: readonly string[]
  readonly systemLanguages: readonly string[]
  /** Called with defects, for the log. */
  readonly onDefect: (error: unknown) => void
}

function isLoginEnd(code: string): boolean {
  return code === 'oauth/login-required' || code === 'session/over'
}

/** The state of the window, derived from the services. It sends each slice that changes. */
export class AppModel {
  readonly notices: Notices
  readonly settings: SettingsModel
  readonly instances: InstanceModels
  readonly attachments: AttachmentsModel
  readonly traffic: TrafficMeter
  readonly watch: ConnectionWatch
  readonly update: UpdateModel
  readonly #services: Services
  readonly #options: AppModelOptions
  readonly #changes: Emitter<Partial<AppState>>
  readonly #subscriptions: readonly (() => void)[]
  /** Builds the slices, each only when it changes. */
  readonly #slices: { readonly [Name in keyof AppState]-?: () => AppState[Name] } = {
    wording: () => this.language.wording,
    settings: () => this.settings.slice,
    managedSettings: () => this.settings.managed,
    killSwitch: () => ({ here: this.#killSwitchHere, blocks: this.#services.killSwitch.blocks() }),
    helper: () => this.#helper,
    instances: () => this.instances.slices(this.#services.connection.state),
    connection: () => this.#shownConnection(),
    heldBy: () => {
      const holder = this.#shownHolder()
      return holder && { kind: holder.kind, pid: holder.pid }
    },
    notices: () => [...this.notices.all],
    organizationSearch: () => ({ available: this.#canSearch }),
    wanted: () => this.#wanted,
    linkAddress: () => this.#linkAddress,
    shortcuts: () => this.#shortcuts,
    inFront: () => this.#inFront,
    update: () => this.update.slice,
    transfers: () => this.attachments.transfers(),
    deletions: () => this.attachments.deletions.all(),
  }
  #killSwitchHere: KillSwitchSlice['here'] = 'not-on-this-system'
  #helper: HelperSlice = 'missing'
  #runnable: readonly VpnProtocol[] = ['openvpn']
  /** The other process that holds the tunnel. */
  #holder: TunnelHolder | undefined
  #wanted: View | undefined
  #linkAddress: string | undefined
  #shortcuts: AppState['shortcuts'] = { recent: [], starred: [] }
  #inFront = false
  #canSearch = false

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
      onChange: (languageChanged) => {
        // The texts are large, so they are sent only if they change.
        this.#send(
          'settings',
          'managedSettings',
          'instances',
          ...(languageChanged ? (['wording'] as const) : []),
        )
      },
    })
    this.instances = new InstanceModels({
      services,
      languages: () => this.settings.languages,
      runnable: () => this.#runnable,
      report: (work) => this.#report(work),
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
    this.update = new UpdateModel({
      updates: () => services.updates(),
      isConnected: () => isUnderWay(this.#shownConnection()),
      disconnect: () => this.disconnect(),
      onChange: () => {
        this.#send('update')
      },
      onFailure: (error) => {
        services.log.write('warning', 'app', 'updates', { error })
      },
    })
    this.#subscriptions = this.#subscribe()
  }

  /** The current language. */
  get language(): AppLanguage {
    return this.settings.language
  }

  /** Returns all slices. */
  state(): AppState {
    return this.#build(Object.keys(this.#slices) as (keyof AppState)[]) as AppState
  }

  /** Subscribes to changed slices; returns a function that unsubscribes. */
  onChange(listener: (changed: Partial<AppState>) => void): () => void {
    return this.#changes.on(listener)
  }

  /** Reads settings and instances, and starts reading the logins. Errors become notices. */
  async start(): Promise<void> {
    await Promise.all([
      this.refreshPrivilege(),
      this.readSettings(),
      this.#report(this.instances.list()),
      this.#report(this.#readRecent()),
      ...this.#readChoices().map((read) => this.#report(read)),
    ])
  }

  /** Reads the settings again. Errors become notices. */
  async readSettings(): Promise<void> {
    await Promise.all([this.#report(this.settings.read()), this.#report(this.#readSearch())])
  }

  /** Returns the instance with this id. Throws `usage/unknown-instance`. */
  instance(id: string): InstanceModel {
    return this.instances.need(id)
  }

  /** Returns the current logins, and the expired one that ended the tunnel. */
  endingLogins(): readonly WatchedLogin[] {
    return this.instances.endingLogins(this.#services.connection.state)
  }

  /** Asks the window to show this view, now or when it opens. */
  goTo(view: View): void {
    this.#wanted = view
    this.#send('wanted')
  }

  /** Handles the window's confirmation that it shows this view. Another view may be wanted by now. */
  arrivedAt(view: View): void {
    if (this.#wanted !== view) return
    this.#wanted = undefined
    this.#send('wanted')
  }

  /** Offers the address of a link, which the window puts into the field for a new service. Nothing else happens. */
  offerAddress(address: string): void {
    this.#linkAddress = address
    this.#send('linkAddress')
    this.goTo('connection')
  }

  takeLinkAddress(): void {
    this.#linkAddress = undefined
    this.#send('linkAddress')
  }

  /** Sets whether the window is in front. News appear either there or as desktop notifications. */
  setInFront(inFront: boolean): void {
    if (this.#inFront === inFront) return
    this.#inFront = inFront
    this.#send('inFront')
    if (inFront) void this.#report(this.instances.look())
    // The firewall tells nobody that it was emptied, and the helper or the service may have been installed meanwhile.
    if (inFront)
      void (this.#helper === 'usable' && this.#killSwitchHere !== 'no-service'
        ? this.#services.killSwitch.check()
        : this.refreshPrivilege())
  }

  /** Checks again whether the helper, WireGuard and the kill switch are available, and sends the result. */
  async refreshPrivilege(): Promise<KillSwitchSlice['here']> {
    const { helper, killSwitch } = this.#services
    const runnable = runnableProtocols().then((found) => {
      const isSame = isDeepStrictEqual(found, this.#runnable)
      this.#runnable = found
      if (!isSame) this.#send('instances')
    })
    ;[this.#helper, this.#killSwitchHere] = await Promise.all([helper.here(), killSwitch.here(), runnable])
    await killSwitch.check()
    this.#send('killSwitch', 'helper')
    return this.#killSwitchHere
  }

  /** Returns true if the window shows the connection of another process. */
  showsOther(): boolean {
    const { state } = this.#services.connection.state
    return this.#holder !== undefined && (state === 'idle' || state === 'disconnected' || state === 'failed')
  }

  /** Ends the current connection, also if another process holds it. */
  disconnect(): Promise<void> {
    return this.showsOther()
      ? this.#services.tunnel.askToDisconnect()
      : this.#services.connection.disconnect()
  }

  dispose(): void {
    this.update.dispose()
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
        void this.#report(this.instances.list())
      }),
      services.settings.onChange((settings) => {
        void this.#report(this.settings.use(settings))
        void this.#report(this.#readSearch())
        void this.#report(this.update.settingsChanged())
      }),
      services.directory.onChange(() => {
        void this.#report(this.instances.readListings())
      }),
      services.killSwitch.watch(() => {
        this.#send('killSwitch')
      }),
      services.onServicesFound((instanceId) => {
        void this.#report(this.instances.find(instanceId)?.readServices())
      }),
      services.browserLogins.onChange(() => {
        this.#send('instances')
      }),
      services.lastConnections.onChange((all) => {
        this.#setShortcuts({ recent: [...all] })
      }),
      services.profileChoices.onChange((all) => {
        this.#setShortcuts({ choices: [...all] })
      }),
      services.serviceFolds.onChange((all) => {
        this.#setShortcuts({ folds: [...all] })
      }),
      services.starredProfiles.onChange((all) => {
        this.#setShortcuts({ starred: [...all] })
      }),
      services.tunnel.watch((holder) => {
        this.#holder = holder
        // The other process may have stored a new last connection.
        if (holder?.connection.state === 'connected') void this.#report(this.#readRecent())
        void services.killSwitch.check()
        this.#send('connection', 'heldBy')
      }),
      services.connection.onChange((state) => {
        const previous = before
        before = state
        // It told of the connection before.
        const hasNames = state.state !== 'connected' || state.dns?.applied === true
        if (hasNames) this.notices.remove(({ code }) => namesOutside.includes(code))
        if (state.state !== 'connected')
          this.notices.remove(({ code }) => code === 'helper/local-network-not-blocked')
        this.#follow(previous, state)
      }),
    ]
  }

  async #readRecent(): Promise<void> {
    this.#setShortcuts({ recent: [...(await this.#services.lastConnections.all())] })
  }

  /** Reads what the person has chosen in the list, each file on its own: one that can't be read hides no other. */
  #readChoices(): readonly Promise<void>[] {
    const { starredProfiles, profileChoices, serviceFolds } = this.#services
    return [
      starredProfiles.all().then((all) => {
        this.#setShortcuts({ starred: [...all] })
      }),
      profileChoices.all().then((all) => {
        this.#setShortcuts({ choices: [...all] })
      }),
      serviceFolds.all().then((all) => {
        this.#setShortcuts({ folds: [...all] })
      }),
    ]
  }

  #setShortcuts(changed: Partial<AppState['shortcuts']>): void {
    this.#shortcuts = { ...this.#shortcuts, ...changed }
    this.#send('shortcuts')
  }

  /** Reads if there are lists of organizations. A source that isn't valid becomes a notice, and there are none. */
  async #readSearch(): Promise<void> {
    this.#canSearch = false
    try {
      this.#canSearch = await this.#services.directory.isAvailable()
    } finally {
      this.#send('organizationSearch')
    }
    await this.instances.readListings()
  }

  /** Handles a change of this process's connection. */
  #follow(previous: ConnectionState, state: ConnectionState): void {
    this.#send('connection', 'heldBy')
    if (state.state === 'connected') {
      const view = this.instances.find(state.target.instanceId)
      void this.#report(view?.readValidity())
      void this.#report(view?.readMissing())
    }
    // Without a login attempt, nothing else updates the login state.
    if (state.state === 'failed' && isLoginEnd(state.error.code))
      void this.#report(this.instances.find(state.target.instanceId)?.readLogin())
    if (previous.state !== 'authorizing' && state.state !== 'authorizing') return
    this.#send('instances')
    if (previous.state === 'authorizing')
      void this.#report(this.instances.find(previous.target.instanceId)?.readLogin())
  }

  #shownConnection(): ConnectionState {
    return this.#shownHolder()?.connection ?? this.#services.connection.state
  }

  /** Returns the other process whose connection is shown, if any. */
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

  /** Turns a failure that no view waits for into a notice; never rejects. */
  async #report(work: Promise<void> | undefined): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!(error instanceof CausewayError)) this.#options.onDefect(error)
      this.notices.add(toErrorReport(error))
    }
  }
}
