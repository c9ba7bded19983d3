/** A setting whose state the system stores. */
export interface SystemSwitch {
  /** Returns undefined if the state cannot be read here. */
  isOn(): Promise<boolean | undefined>
  /** Throws `start-at-login/*`, `data/unreadable`, `data/unwritable`. */
  set(on: boolean): Promise<void>
}
