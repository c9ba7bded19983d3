import {
  Message,
  NameFlag,
  RequestNameReply,
  sessionBus,
  Variant,
  type MessageBus,
} from '@jellybrick/dbus-next'

const portal = 'org.freedesktop.portal.Desktop'
const path = '/org/freedesktop/portal/desktop'
const settings = 'org.freedesktop.portal.Settings'
const [namespace, key] = ['org.freedesktop.appearance', 'color-scheme'] as const
const schemes = { 'no preference': 0, dark: 1, light: 2 } as const

/** The desktop's setting for dark windows, as GNOME and KDE tell it to programs. */
export class AppearancePortal {
  readonly #bus: MessageBus
  #scheme: keyof typeof schemes = 'no preference'

  private constructor(bus: MessageBus) {
    this.#bus = bus
    bus.addMethodHandler((message) => {
      const { interface: name, member, body } = message
      if (name !== settings || (member !== 'Read' && member !== 'ReadOne')) return false
      if (body[0] !== namespace || body[1] !== key) return false
      const value = this.#value()
      const answer = member === 'Read' ? new Variant('v', value) : value
      bus.send(Message.newMethodReturn(message, 'v', [answer]))
      return true
    })
  }

  /** Claims its name on the session's bus. */
  static async start(): Promise<AppearancePortal> {
    const bus = sessionBus()
    const answer = await bus.requestName(portal, NameFlag.DO_NOT_QUEUE)
    if (answer !== RequestNameReply.PRIMARY_OWNER) throw new Error(`This session has ${portal} already.`)
    return new AppearancePortal(bus)
  }

  /** Changes the setting, and tells programs. */
  choose(scheme: keyof typeof schemes): void {
    this.#scheme = scheme
    this.#bus.send(
      Message.newSignal(path, settings, 'SettingChanged', 'ssv', [namespace, key, this.#value()]),
    )
  }

  close(): void {
    this.#bus.disconnect()
  }

  #value(): Variant {
    return new Variant('u', schemes[this.#scheme])
  }
}
