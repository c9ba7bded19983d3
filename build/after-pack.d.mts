/** Sets the fuses of an unpacked app; electron-builder calls it. */
export function afterPack(context: {
  readonly packager: { addElectronFuses(context: unknown, fuses: unknown): Promise<unknown> }
  readonly electronPlatformName: string
  readonly appOutDir: string
}): Promise<void>

/** Returns the fuses of the app on a system, by Electron's name of the system. */
export function fusesOf(platform: string): Readonly<Record<number, boolean>>
