import type { VirtualItem } from '@tanstack/react-virtual'
import { windowStore } from './window-store'

/** Where a list was scrolled to, in CSS pixels, and the measured heights of its rows. */
interface Place {
  readonly top: number
  readonly rows: readonly VirtualItem[]
}

/** Returns where the lists of the window were scrolled to, by the key of the list. */
export const usePlaces = windowStore(() => new Map<string, Place>())
