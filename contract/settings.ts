import { z } from 'zod'

/** main/settings/settings.ts. */
export const settingsSlice = z.object({
  language: z.string(),
  theme: z.enum(['system', 'light', 'dark']),
  remoteStrategy: z.literal([0, 1, 2]),
  preferTcp: z.boolean(),
  reconnect: z.boolean(),
  killSwitch: z.boolean(),
  autoConnect: z.boolean(),
  startAtLogin: z.boolean(),
  openvpnPath: z.string(),
  closeToTray: z.boolean(),
  notifications: z.boolean(),
  connectionDetails: z.boolean(),
})
export type SettingsSlice = z.infer<typeof settingsSlice>

/** The settings that the window may give any value. It cannot name a program to be run: main asks the person for that. */
export const windowSetting = settingsSlice.omit({ openvpnPath: true }).keyof()
