import {
  DBusError,
  Message,
  NameFlag,
  RequestNameReply,
  sessionBus,
  Variant,
  type MessageBus,
} from '@jellybrick/dbus-next'
import { z } from 'zod'

const trayName = 'org.kde.StatusNotifierWatcher'
const notificationsName = 'org.freedesktop.Notifications'
/** Reasons for closing a notification: by the user, or by its sender. */
const dismissed = 2
const withdrawn = 3

/** Address of the app's tray icon on the bus. */
interface TrayItem {
  readonly service: string
  readonly path: string
}

export interface ShownNotification {
  readonly title: string
  /** With the markup of the notification specification. */
  readonly body: string
}

/** App name, replaced id, icon, title, body, and more. */
const notify = z.tuple([z.string(), z.number(), z.string(), z.string(), z.string()], z.unknown())
const entry = z
  .instanceof(Variant)
  .transform(({ value }) => value)
  .pipe(z.tuple([z.number(), z.record(z.string(), z.instanceof(Variant)), z.unknown()]))
const layout = z.tuple([z.number(), z.tuple([z.number(), z.unknown(), z.array(entry)])])

/**
 * A Linux desktop on the session's D-Bus: a tray for StatusNotifierItems and a notification server. Draws nothing;
 * records what the app shows and simulates the user's clicks.
 */
export class DesktopBus {
  readonly #bus: MessageBus
  readonly #notifications: ShownNotification[] = []
  #item: TrayItem | undefined

  private constructor(bus: MessageBus) {
    this.#bus = bus
    bus.addMethodHandler((message) => {
      const answer = this.#answer(message)
      if (answer !== undefined) bus.send(Message.newMethodReturn(message, ...answer))
      return answer !== undefined
    })
  }

  /** Claims its names on the session's bus. */
  static async start(options: { readonly tray: boolean }): Promise<DesktopBus> {
    const bus = sessionBus()
    const desktop = new DesktopBus(bus)
    for (const name of [...(options.tray ? [trayName] : []), notificationsName]) {
      const answer = await bus.requestName(name, NameFlag.DO_NOT_QUEUE)
      if (answer !== RequestNameReply.PRIMARY_OWNER)
        throw new Error(
          `This session has a desktop, which answers for ${name}. "npm test" makes one without.`,
        )
    }
    return desktop
  }

  /** True while the app has a tray icon. */
  get hasItem(): boolean {
    return this.#item !== undefined
  }

  /** All notifications, oldest first. */
  get notifications(): readonly ShownNotification[] {
    return this.#notifications
  }

  /** Titles of all notifications, oldest first. */
  get titles(): string[] {
    return this.#notifications.map(({ title }) => title)
  }

  /** Clicks the last notification with this title. */
  clickNotification(title: string): void {
    const id = this.titles.lastIndexOf(title) + 1
    if (id === 0) throw new Error(`There is no notification ${title}.`)
    this.#signal('ActionInvoked', 'us', [id, 'default'])
    this.#signal('NotificationClosed', 'uu', [id, dismissed])
  }

  /** Reads a property of the tray icon, such as `ToolTip`. */
  async itemProperty(name: string): Promise<unknown> {
    const { service, path } = this.#needItem()
    const [value] = await this.#call(service, path, 'org.freedesktop.DBus.Properties', 'Get', 'ss', [
      'org.kde.StatusNotifierItem',
      name,
    ])
    return z.instanceof(Variant).parse(value).value
  }

  /** Returns the entries of the tray's menu: a separator as `-`, a disabled entry in brackets. */
  async menu(): Promise<string[]> {
    return (await this.#menuItems()).map(({ label, enabled }) => (enabled ? label : `(${label})`))
  }

  /** Clicks an entry of the tray's menu. */
  async choose(label: string): Promise<void> {
    const chosen = (await this.#menuItems()).find((each) => each.label === label)
    if (chosen === undefined) throw new Error(`There is no entry ${label}.`)
    const event = [chosen.id, 'clicked', new Variant('s', ''), 0]
    await this.#callMenu('Event', 'isvu', event).catch((error: unknown) => {
      // A process that quits may be gone before it replies.
      if (!(error instanceof DBusError) || error.type !== 'org.freedesktop.DBus.Error.NoReply') throw error
    })
  }

  close(): void {
    this.#bus.disconnect()
  }

  /** Returns the signature and values of the reply; undefined for an unknown call. */
  #answer({ interface: name, member, body, sender }: Message): [string, unknown[]] | undefined {
    switch (`${name}.${member}`) {
      case 'org.freedesktop.DBus.Properties.Get':
        return ['v', [new Variant('b', body[0] === trayName && body[1] === 'IsStatusNotifierHostRegistered')]]
      case `${trayName}.RegisterStatusNotifierItem`: {
        const given = z.string().parse(body[0])
        this.#item = given.startsWith('/')
          ? { service: sender, path: given }
          : { service: given, path: '/StatusNotifierItem' }
        return ['', []]
      }
      case `${notificationsName}.GetCapabilities`:
        return ['as', [['actions', 'body', 'body-markup']]]
      case `${notificationsName}.GetServerInformation`:
        return ['ssss', ['Test', 'Causeway', '1', '1.2']]
      case `${notificationsName}.Notify`: {
        const [, , , title, text] = notify.parse(body)
        return ['u', [this.#notifications.push({ title, body: text })]]
      }
      case `${notificationsName}.CloseNotification`:
        this.#signal('NotificationClosed', 'uu', [body[0], withdrawn])
        return ['', []]
      default:
        return undefined
    }
  }

  #signal(member: string, signature: string, body: unknown[]): void {
    const path = '/org/freedesktop/Notifications'
    this.#bus.send(Message.newSignal(path, notificationsName, member, signature, body))
  }

  #needItem(): TrayItem {
    if (this.#item === undefined) throw new Error('There is nothing in the tray.')
    return this.#item
  }

  async #menuItems(): Promise<{ readonly id: number; readonly label: string; readonly enabled: boolean }[]> {
    const [, [, , entries]] = layout.parse(await this.#callMenu('GetLayout', 'iias', [0, -1, []]))
    return entries.map(([id, known]) => ({
      id,
      label: known.type?.value === 'separator' ? '-' : String(known.label?.value).replaceAll('__', '_'),
      enabled: known.enabled?.value !== false,
    }))
  }

  async #callMenu(member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const path = z.string().parse(await this.itemProperty('Menu'))
    return this.#call(this.#needItem().service, path, 'com.canonical.dbusmenu', member, signature, body)
  }

  async #call(
    destination: string,
    path: string,
    name: string,
    member: string,
    signature: string,
    body: unknown[],
  ): Promise<unknown[]> {
    const message = new Message({ destination, path, interface: name, member, signature, body })
    return (await this.#bus.call(message))?.body ?? []
  }
}
