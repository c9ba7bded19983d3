/** Returns the fuses of the app on a system, by Electron's name of the system. */
export function fusesOf(platform: string): Readonly<Record<number, boolean>>
