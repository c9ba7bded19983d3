import { z } from 'zod'
import { askWindowsHelper, windowsHelper } from '../child-process/windows-helper'
import type { TrafficSource } from './traffic-source'

const counters = z.object({ received: z.number(), sent: z.number() })

/** Reads counters with Causeway's helper. Devices outlive their tunnels on Windows, so counters do not start with the tunnel. */
export function windowsTraffic(helper = windowsHelper, now: () => number = Date.now): TrafficSource {
  return {
    fromZero: false,
    isCheap: false,
    read: async (device) => {
      const found = await askWindowsHelper(counters, helper('counters', device))
      return found && { at: now(), ...found }
    },
  }
}
