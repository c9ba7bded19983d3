/** A setting of which the system itself knows whether it is on. */
export interface SystemSwitch {
  /** Undefined where that cannot be known from here. */
  isOn(): Promise<boolean | undefined>
  /** Throws `start-at-login/*`, `data/unreadable`, `data/unwritable`. */
  set(on: boolean): Promise<void>
}
