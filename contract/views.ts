import { z } from 'zod'

/** The views of the window in the order of their shortcuts, Ctrl/Cmd+1 to 6. */
export const mainViews = [
  'connection',
  'messages',
  'attachments',
  'news',
  'organization',
  'settings',
] as const
export type MainView = (typeof mainViews)[number]

/** All that the window can show; each under its own address, after the `#`. */
export const view = z.enum([...mainViews, 'doctor'])
export type View = z.infer<typeof view>
